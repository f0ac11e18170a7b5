package kvant.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The checklist of a release finds each thing that is missing. The tree is a small one that has all that is looked at;
/// its `kvant` is a script, so that a check takes seconds.
@Tag("full") // two minutes: git and Maven
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Execution(ExecutionMode.CONCURRENT)
class ReleaseScriptTest {

    private static final Path SCRIPT = SmallPackages.root().resolve(".ci/release");

    /// It has no test pass where programs that tests use, or the slow tests, may be missing.
    private static final String KVANT = """
            #!/bin/sh
            tests=0
            artifacts=0
            if [ "$*" = "test --full" ]; then
                [ "$KVANT_TOOLS" = required ] || exit 3
                exit $tests
            fi
            [ "$1" = test ] && exit $artifacts
            mkdir -p target/packages kvant-1.2.3
            echo parts >kvant-1.2.3/sbom.cdx.json
            (cd kvant-1.2.3 && seq -f "the-list-of-names-does-not-fit-into-a-pipe-%g" 3000 | xargs touch)
            cd target/packages
            tar --sort=name --mtime=@0 -czf kvant-1.2.3-linux-x86_64.tar.gz -C ../.. kvant-1.2.3
            sha256sum kvant-1.2.3-linux-x86_64.tar.gz >SHA256SUMS
            """;

    /// Of the three modules that have classes to compare with.
    private static final String BASELINE = """
            #!/bin/sh
            for module in engine engine-lsm client; do
                printf classes >"$1/$module.jar"
            done
            """;

    @TempDir
    Path tree;

    @TempDir
    Path scratch;

    private record Ran(int exitCode, String output) {}

    @BeforeEach
    void aTreeThatIsReady() throws Exception {
        String pom = "<project>\n  <version>1.2.3</version>\n</project>\n";
        Map<String, String> files = Map.ofEntries(
                Map.entry("pom.xml", pom),
                Map.entry("engine/pom.xml", pom),
                Map.entry("engine/src/api/baseline.jar", "classes"),
                Map.entry("engine-lsm/src/api/baseline.jar", "classes"),
                Map.entry("client/src/api/baseline.jar", "classes"),
                Map.entry("clients/python/pyproject.toml", "version = \"1.2.3\"\n"),
                Map.entry("server/src/main/resources/kvant/server/openapi.yaml", "info:\n  version: '1.2'\n"),
                Map.entry("docs/embedding.md", "<version>1.2.3</version>\n"),
                Map.entry("docs/clients.md", "<version>1.2.3</version>\n"),
                Map.entry("examples/embed/pom.xml", "<version>1</version>\n<version>1.2.3</version>\n"),
                Map.entry("lab/bench/resp/redis-tests", "#!/bin/sh\nexit 0\n"),
                Map.entry("CHANGELOG.md", "## [Unreleased]\n\n## [1.2.3] - 2026-12-01\n\n- All of it.\n"),
                Map.entry(".gitignore", "target/\nkvant-1.2.3/\n.build/\n"),
                Map.entry(".ci/baseline", BASELINE),
                Map.entry(".ci/subjects", "#!/bin/sh\nexit 0\n"),
                Map.entry("kvant", KVANT));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = tree.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        shell("chmod +x kvant .ci/* lab/bench/resp/redis-tests && git init -q && git add -A");
        commit();
    }

    private void commit() throws Exception {
        shell("git -c user.name=t -c user.email=t@localhost commit -q --allow-empty -am change");
    }

    private void shell(String command) throws Exception {
        Ran ran = run("sh", "-c", command);
        assertThat(ran.exitCode()).as(command + ": " + ran.output()).isZero();
    }

    private Ran run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("release", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(tree.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().remove("KVANT_TOOLS");
        builder.environment()
                .putAll(Map.of(
                        "KVANT_ROOT", tree.toString(),
                        "TMPDIR", scratch.toString(),
                        "GIT_COMMITTER_NAME", "t",
                        "GIT_COMMITTER_EMAIL", "t@localhost",
                        "LC_ALL", "C"));
        int exitCode = builder.start().waitFor();
        String text = Files.readString(output);
        Files.delete(output);
        return new Ran(exitCode, text);
    }

    private Ran release(String... arguments) throws Exception {
        return run(Stream.concat(Stream.of(SCRIPT.toString()), Stream.of(arguments))
                .toArray(String[]::new));
    }

    @Test
    void aTreeThatIsReadyIsSaidToBe() throws Exception {
        Ran quick = release("check", "1.2.3");
        assertThat(quick.output())
                .contains("not done tests, those of Redis, artifacts,", "ready:")
                .doesNotContain("MISSING");
        assertThat(quick.exitCode()).isZero();
        assertThat(run("git", "tag").output()).isEmpty();

        Ran full = release("check", "--full", "1.2.3");
        assertThat(full.output())
                .contains("ok       two builds give the same packages")
                .doesNotContain("MISSING");
        assertThat(full.exitCode()).isZero();
        assertThat(scratch).isEmptyDirectory();
        assertThat(run("git", "tag").output()).isEmpty();
    }

    @Test
    void aTagIsMadeWhenNothingIsMissing() throws Exception {
        assertThat(release("tag", "1.2.3").exitCode()).isZero();
        assertThat(run("git", "tag").output()).isEqualTo("v1.2.3\n");

        Ran again = release("tag", "1.2.3");
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.output()).contains("MISSING  there is no tag v1.2.3 yet");
    }

    /// A fault, and the step that finds it.
    static Stream<Arguments> faults() {
        return Stream.of(
                arguments("sed -i s/0/1/ .ci/subjects", "subjects of commits fit"),
                arguments("sed -i s/1.2.3/1.2.3-SNAPSHOT/ pom.xml", "every pom has version 1.2.3"),
                arguments("sed -i s/1.2.3/1.2.2/ engine/pom.xml", "every pom has version 1.2.3"),
                arguments("sed -i s/1.2.3/1.2.2/ clients/python/pyproject.toml", "the Python client has version"),
                arguments("sed -i s/1.2/1.1/ server/src/main/resources/kvant/server/openapi.yaml", "the API has"),
                arguments("sed -i s/1.2.3/1.2.2/ docs/clients.md", "documents and examples name version"),
                arguments("sed -i s/1.2.3/1.2.2/ examples/embed/pom.xml", "documents and examples name version"),
                arguments("sed -i 's/ - 2026-12-01//' CHANGELOG.md", "the changelog is cut"),
                arguments("sed -i '2i - Not in it.' CHANGELOG.md", "the changelog is cut"),
                arguments("sed -i s/tests=0/tests=1/ kvant", "every test passes"),
                arguments("sed -i s/0/1/ lab/bench/resp/redis-tests", "Redis' own tests pass"),
                arguments("sed -i s/artifacts=0/artifacts=1/ kvant", "sources and documentation"),
                arguments("git rm -q client/src/api/baseline.jar", "later versions are compared with this one"),
                arguments("echo >>engine/src/api/baseline.jar", "later versions are compared with this one"),
                arguments("echo 'exit 1' >>.ci/baseline", "later versions are compared with this one"),
                arguments("sed -i 's/echo parts/date +%N/' kvant", "two builds give the same packages"),
                arguments("sed -i 's/sbom.cdx.json/parts.txt/' kvant", "packages are whole"),
                arguments("sed -i '2i echo >>CHANGELOG.md' kvant", "the tree is still clean"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whatIsMissingIsNamed(String fault, String step) throws Exception {
        shell(fault);
        commit();

        Ran ran = release("tag", "1.2.3");

        assertThat(ran.exitCode()).as(ran.output()).isEqualTo(1);
        assertThat(ran.output().lines().filter(line -> line.startsWith("MISSING")))
                .singleElement()
                .asString()
                .contains(step);
        assertThat(scratch).as("logs that tell why").isNotEmptyDirectory();
        assertThat(run("git", "tag").output()).isEmpty();
    }

    @Test
    void changesThatAreNotCommittedAreMissing() throws Exception {
        shell("echo more >>CHANGELOG.md");

        assertThat(release("check", "1.2.3").output()).contains("MISSING  the tree is clean");
    }

    @Test
    void aQuickCheckLooksWhetherThereIsSomethingToCompareWith() throws Exception {
        shell("git rm -q client/src/api/baseline.jar");
        commit();

        assertThat(release("check", "1.2.3").output())
                .contains("MISSING  there is something to compare libraries with");
    }

    @Test
    void aWrongCommandLineIsExplained() throws Exception {
        for (String wrong : List.of("", "check", "check 1.2", "publish 1.2.3", "check 1.2.3 x")) {
            Ran ran = release(wrong.isEmpty() ? new String[0] : wrong.split(" "));
            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.output()).contains(".ci/release check 0.3.0").doesNotContain("#");
        }
    }
}
