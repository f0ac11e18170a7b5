package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import kvant.text.python.PythonTools;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Schemathesis makes requests of the API's description, valid and invalid ones, and finds no answer that differs from
/// it. It comes from PyPI, pinned with hashes. docs/dev/security-tests.md says what these runs leave out.
@Tag("full") // a minute and a half of made-up requests
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class SchemathesisTest {

    private static final Path TOOL = Path.of("src", "test", "schemathesis").toAbsolutePath();
    private static final Path DESCRIPTION = Path.of("src", "main", "resources", "kvant", "server", "openapi.yaml")
            .toAbsolutePath();

    private static final boolean ALL = Boolean.getBoolean("kvant.test.all");

    /// For requests that are made up; those that the description names come in any case.
    private static final List<String> AT_LENGTH =
            List.of("--phases", "coverage,fuzzing", "--max-time", ALL ? "120" : "15");

    /// There are several runs with tokens: so many requests are made up for each operation.
    private static final List<String> IN_SHORT = List.of("--phases", "fuzzing", "--max-examples", ALL ? "50" : "2");

    /// The paths that need no token.
    private static final String OPEN = "^/(livez|readyz|v0/status|openapi\\.yaml|ui)$";

    private static final String ABOUT_THE_NODE = "^/(metrics|v0/read-only|debug/slow|ui/slow)$";

    @TempDir
    Path folder;

    @Test
    void theNodeAnswersAsItsDescriptionSays() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.slowPage = true))) {
            assertThat(run(url(harness), DESCRIPTION, AT_LENGTH)).containsPattern("Selected: (\\d+)/\\1\\s");
        }
    }

    /// Requests beyond the scope are refused as the description says, and reach no engine.
    @ParameterizedTest
    @EnumSource(Scope.class)
    void aTokenAllowsItsScopeAndNothingElse(Scope scope) throws Exception {
        String header = tokenOf(EnumSet.of(scope));
        try (NodeHarness harness = node(AccessOptions.NO_PORT)) {
            String[] options = {"--header", header, "--exclude-path-regex", OPEN};
            run(url(harness), withTokens(), IN_SHORT, options);
            Set<String> calls = harness.engine.calls().stream()
                    .map(call -> call.replaceFirst(" .*", ""))
                    .collect(Collectors.toSet());
            switch (scope) {
                case READ -> assertThat(calls).isNotEmpty().isSubsetOf("get", "look", "scan");
                case WRITE -> // a condition looks whether its key is in memory
                    assertThat(calls).isNotEmpty().isSubsetOf("put", "delete", "get", "look");
                case ADMIN -> assertThat(calls).isEmpty();
            }
        }
    }

    @Test
    void theAdministrativePortAnswersAsItsDescriptionSays() throws Exception {
        String header = tokenOf(EnumSet.of(Scope.ADMIN));
        try (NodeHarness harness = node(0)) {
            String url = harness.node.adminUrls().getFirst();
            run(url, withTokens(), IN_SHORT, "--header", header, "--include-path-regex", ABOUT_THE_NODE);
            assertThat(harness.engine.calls()).isEmpty();
        }
    }

    private NodeHarness node(int adminPort) {
        return new NodeHarness(options -> options.with(o -> {
            o.slowPage = true;
            o.access = o.access.with(a -> {
                a.tokens = folder.resolve("tokens");
                a.adminPort = adminPort;
            });
        }));
    }

    /// The header that presents it.
    private String tokenOf(Set<Scope> scopes) throws IOException {
        String secret = TokenSecret.generate(new SecureRandom());
        Files.writeString(folder.resolve("tokens"), TokenFile.line("made-up", scopes, secret, 0) + "\n");
        return "Authorization: Bearer " + secret;
    }

    /// Of a node that asks for tokens, so that a request without one, or with a wrong one, has to be refused.
    private Path withTokens() throws IOException {
        String text = Files.readString(DESCRIPTION);
        String optional = "\nsecurity:\n  - {}\n  - token: []\n";
        assertThat(text).containsOnlyOnce(optional);
        return Files.writeString(
                folder.resolve("openapi.yaml"), text.replace(optional, "\nsecurity:\n  - token: []\n"));
    }

    private static String url(NodeHarness harness) {
        return "http://127.0.0.1:" + harness.node.port();
    }

    private static String run(String url, Path description, List<String> length, String... more) throws Exception {
        PythonTools tools = PythonTools.install("schemathesis", TOOL.resolve("requirements.txt"), "st");
        List<String> command = new ArrayList<>(List.of(
                tools.program("st").toString(),
                "--no-color",
                "--config-file",
                TOOL.resolve("schemathesis.toml").toString(),
                "run",
                description.toString(),
                "--url",
                url));
        command.addAll(length);
        command.addAll(Arrays.asList(more));
        PythonTools.Ran ran =
                tools.run(8, Map.of("SCHEMATHESIS_HOOKS", "kvant_hooks", "PYTHONPATH", TOOL.toString()), command);

        assertThat(ran.exitCode()).as(ran.output()).isZero();
        assertThat(ran.output()).containsPattern("Selected: (\\d+)/\\d+\\s+Tested: \\1\\s");
        return ran.output();
    }
}
