package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.server.admit.AdmissionOptions;
import kvant.text.python.PythonTools;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that others have written, against a node with the engine that is served by default.
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RespClientsTest {

    private static final Path PYTHON = Path.of("src", "test", "redis-py").toAbsolutePath();

    @TempDir
    Path folder;

    private LocalEngine engine;
    private Node node;

    @BeforeEach
    void start() throws StartException {
        LsmOptions options = LsmOptions.defaults().withDurability(Durability.parse("none")); // no sync for each reply
        engine = LsmEngine.open(folder.resolve("data"), options);
        node = Node.start(
                NodeOptions.defaults().with(o -> {
                    o.port = 0;
                    o.respPort = 0;
                    o.admission = AdmissionOptions.none(); // a wait for a core is no reason to be turned away
                }),
                engine);
    }

    @AfterEach
    void stop() {
        node.close();
        engine.close();
    }

    @Test
    void redisPyFindsWhatItExpects() throws Exception {
        PythonTools tools = PythonTools.install("redis-py", PYTHON.resolve("requirements.txt"), "python");
        PythonTools.Ran ran = tools.run(
                3,
                Map.of(),
                List.of(
                        tools.program("python").toString(),
                        PYTHON.resolve("client.py").toString(),
                        Integer.toString(node.respPort())));
        assertThat(ran.output()).endsWith("ok\n");
        assertThat(ran.exitCode()).isZero();
    }

    @Test
    void redisCliShowsReplies() throws Exception {
        assertThat(cli("SET", "k", "a b")).isEqualTo("OK\n");
        assertThat(cli("GET", "k")).isEqualTo("a b\n");
        assertThat(cli("-3", "TTL", "k")).isEqualTo("-1\n");
        assertThat(cli("INCRBY", "n", "5")).isEqualTo("5\n");
        assertThat(cli("--scan").lines()).containsExactly("k", "n");
        assertThat(cli("--scan", "--pattern", "k*").lines()).containsExactly("k");
        assertThat(cli("HGETALL", "h")).contains("ERR unknown command 'HGETALL'");
        assertThat(cli("INFO", "server")).contains("server_name:kvant");
    }

    /// Each has thousands of requests answered, and no error.
    @Test
    void redisBenchmarkGoesThrough() throws Exception {
        for (String pipeline : List.of("1", "16")) {
            String said = run(
                    "redis-benchmark",
                    "-p",
                    Integer.toString(node.respPort()),
                    "-q",
                    "-c",
                    "8",
                    "-n",
                    "4000",
                    "-r",
                    "1000",
                    "-P",
                    pipeline,
                    "-t",
                    "ping,set,get,incr,mset");
            assertThat(said).doesNotContainIgnoringCase("error from server");
            for (String test : List.of("PING_INLINE", "PING_MBULK", "SET", "GET", "INCR", "MSET (10 keys)")) {
                assertThat(said).containsPattern(Pattern.quote(test) + ": [0-9.]+ requests per second");
            }
        }
    }

    /// Those that apply; the others are named with their reasons.
    @Test
    void theTestsOfRedisPass() throws Exception {
        assumeTrue(Boolean.getBoolean("kvant.test.all"), "NOT RUN: they take a minute: -Dkvant.test.all=true");
        Path script = Path.of("..", "lab", "bench", "resp", "redis-tests").toAbsolutePath();
        Ran ran = run(9, List.of(script.toString(), "--port", Integer.toString(node.respPort())));
        if (ran.exitCode() == 2) {
            Tool.leaveOut(ran.output(), "tcl, and the sources of Redis");
        }
        assertThat(ran.exitCode()).as(ran.output()).isZero();
        List<String> counts = Pattern.compile("\\d+(?= (tests pass|do not apply|are for))")
                .matcher(ran.output())
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(Files.readString(Path.of("..", "docs", "resp.md")))
                .containsSubsequence(
                        counts.get(0) + " pass", counts.get(1) + " do not apply", counts.get(2) + " are for");
    }

    private String cli(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("redis-cli", "-p", Integer.toString(node.respPort())));
        command.addAll(List.of(words));
        return run(command.toArray(String[]::new));
    }

    private String run(String... command) throws Exception {
        Tool.of(command[0]).need();
        return run(2, List.of(command)).output();
    }

    private record Ran(int exitCode, String output) {}

    private Ran run(long minutes, List<String> command) throws Exception {
        Path said = Files.createTempFile(folder, "said", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(minutes, TimeUnit.MINUTES))
                    .as(String.join(" ", command))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ran(process.exitValue(), Files.readString(said, StandardCharsets.UTF_8));
    }
}
