package kvant.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import kvant.client.Attempts.StatusMapping;
import kvant.text.python.PythonTools;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The Python client against the API description, as DescribedApiTest has the one in Java. It needs Python alone; where
/// there is none, this test says so and is skipped.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class PythonDescribedApiTest {

    private static final Path PROJECT = Path.of("..", "clients", "python").toAbsolutePath();

    /// The operations that the client supports, by their names in the description.
    private static final Set<String> CLAIMED = Set.of("getById", "putById", "deleteById", "scan", "batch");

    private static final String PREFIX = "urn:kvant:problem:";

    private final ClientContract contract = new ClientContract();

    @TempDir
    Path folder;

    private static String run(String program, String... arguments) throws Exception {
        PythonTools python = PythonTools.plain("python-client", 3, 9);
        List<String> command = new ArrayList<>(List.of("python3", "-W", "error", PROJECT + "/tests/" + program));
        command.addAll(List.of(arguments));
        PythonTools.Ran ran = python.run(
                1, Map.of("PYTHONPATH", PROJECT.resolve("src").toString(), "PYTHONDONTWRITEBYTECODE", "1"), command);
        assertThat(ran.exitCode()).as(ran.output()).isZero();
        return ran.output();
    }

    @Test
    void eachRequestIsDescribedAndEachClaimedOneIsMade() throws Exception {
        Set<String> made = new TreeSet<>();
        try (TestNode node = TestNode.start(folder);
                FaultyProxy recorder = new FaultyProxy(node.port())) {
            run("every_request.py", recorder.url().toString());
            recorder.exchanges().forEach(exchange -> made.add(contract.check(exchange)));
        }
        assertThat(made).isEqualTo(new TreeSet<>(CLAIMED));
    }

    /// That the meanings are the right ones is what the test of the other client is for.
    @Test
    void eachAnswerHasTheMeaningThatItHasInJava() throws Exception {
        List<ClientContract.Sample> samples = new ArrayList<>(contract.problems(CLAIMED));
        assertThat(samples).hasSizeGreaterThan(35);
        IntStream.range(100, 600).forEach(status -> samples.add(new ClientContract.Sample(status, "", "")));
        List<String> answers = new ArrayList<>();
        List<String> meanings = new ArrayList<>();
        for (ClientContract.Sample sample : samples) {
            answers.add(sample.status() + " " + sample.body());
            Problem problem = Problem.of(sample.status(), sample.body().getBytes(UTF_8));
            meanings.add(StatusMapping.of(problem) + "|" + problem.type().replace(PREFIX, "") + "|" + problem);
        }

        Path given = Files.write(folder.resolve("answers"), answers);
        assertThat(run("every_answer.py", given.toString()).lines()).isEqualTo(meanings);
    }
}
