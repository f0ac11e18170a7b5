package kvant.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvant.server.AccessOptions;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import kvant.text.python.PythonTools;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The tests of the client in Python, against real nodes. They need Python alone; where there is none, this test says
/// so and is skipped.
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PythonClientTest {

    private static final Path PROJECT = Path.of("..", "clients", "python").toAbsolutePath();

    @TempDir
    Path folder;

    @Test
    void itsTestsPass() throws Exception {
        PythonTools python = PythonTools.plain("python-client", 3, 9);
        String token = TokenSecret.generate(new SecureRandom());
        Path tokens = folder.resolve("tokens");
        Files.writeString(tokens, TokenFile.line("app", EnumSet.allOf(Scope.class), token, 0) + "\n");
        AccessOptions access = AccessOptions.none().with(a -> a.tokens = tokens);
        try (TestNode open = TestNode.start(Files.createDirectory(folder.resolve("open")));
                TestNode guarded = TestNode.start(
                        Files.createDirectory(folder.resolve("guarded")),
                        options -> options.with(o -> o.access = access))) {
            Map<String, String> environment = Map.of(
                    "PYTHONPATH", PROJECT.resolve("src").toString(),
                    "PYTHONDONTWRITEBYTECODE", "1",
                    "KVANT_URL", open.url().toString(),
                    "KVANT_TOKEN_URL", guarded.url().toString(),
                    "KVANT_TOKEN", token);
            PythonTools.Ran ran = python.run(
                    2,
                    environment,
                    List.of("python3", "-W", "error", "-m", "unittest", "discover", "-s", PROJECT + "/tests"));

            assertThat(ran.exitCode()).as(ran.output()).isZero();
            assertThat(ran.output()).containsPattern("Ran (2[1-9]|[3-9]\\d) tests in");
        }
    }
}
