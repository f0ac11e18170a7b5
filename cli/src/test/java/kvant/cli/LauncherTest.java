package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher `./kvant`, copied into a small tree with a JDK and a Maven that only say how they were called.
class LauncherTest {

    private static final String FAKE_JAVA = """
            #!/bin/sh
            case " $* " in
                *AOTCacheOutput*)
                    while [ -f "${0%/*}/hold" ]; do sleep 0.05; done
                    echo trained
                    ;;
                *" locale "*) echo "$LC_ALL" ;;
                *) echo "$JDK_NAME: $*" ;;
            esac
            """;

    /// Counts its builds, and fails when a file says so.
    private static final String FAKE_MAVEN = """
            #!/bin/sh
            case " $* " in
                *" --bogus "*) echo "Unrecognized option: --bogus"; exit 1 ;;
                *" --version "*) exit 0 ;;
            esac
            echo "built with $JAVA_HOME: $*" >>builds
            [ ! -f broken ] || { echo "[ERROR] broken"; exit 3; }
            case " $* " in *" verify "*) echo "[INFO] Tests run: 7, Failures: 0" ;; esac
            if [ -f failing ] && case " $* " in *" verify "*) ;; *) false ;; esac; then
                case " $* " in *failure.ignore=true*) ;; *) exit 1 ;; esac
                echo "[ERROR] There are test failures."
                mkdir -p engine/target/surefire-reports && cp failing engine/target/surefire-reports/TEST-a.AbcTest.xml
            fi
            if [ -f hanging ]; then echo "[ERROR] There was a timeout in the fork"; fi
            echo "[INFO] Building jar: a/target/a.jar"
            echo "[INFO] Building Kvant engine, the port 7.1-SNAPSHOT          [2/18]"
            mkdir -p cli/target/dist/lib
            case " $* " in
                *lab*)
                    mkdir -p lab/lab/target/dist/lib lab/bench/target/lib lab/tools/prove/target/lib
                    mkdir -p lab/tools/dist/target/dist/lib ;;
            esac
            """;

    @TempDir
    Path folder;

    private Path tree = Path.of("");
    private Path jvmFolder = Path.of("");

    /// A process that ended.
    private record Result(int code, String out, String err) {}

    @BeforeEach
    void plantTree() throws IOException {
        tree = Files.createDirectories(folder.resolve("a tree"));
        jvmFolder = Files.createDirectories(folder.resolve("jvm"));
        Files.createDirectories(tree.resolve("cli/src/main"));
        for (String folder : List.of("experiments", "lab/load", "lab/lab", "lab/bench", "lab/tools/local-cluster")) {
            Files.createDirectories(tree.resolve(folder));
        }
        Files.createDirectories(tree.resolve("lab/tools/dist"));
        Files.createDirectories(tree.resolve("lab/tools/prove"));
        Files.writeString(tree.resolve("lab/load/pom.xml"), "");
        Files.createDirectories(tree.resolve(".mvn"));
        Files.writeString(tree.resolve("pom.xml"), "");
        Files.writeString(tree.resolve("cli/pom.xml"), "");
        Files.writeString(tree.resolve("cli/src/main/Main.java"), "");
        script(tree.resolve("mvnw"), FAKE_MAVEN);
        script(tree.resolve("kvant"), Files.readString(launcher()));
        Path shared = Files.createDirectories(tree.resolve("cli/src/main/launcher"));
        for (String file : List.of("jvm.options", "train.sh")) {
            Files.copy(launcher().resolveSibling("cli/src/main/launcher").resolve(file), shared.resolve(file));
        }
        age(tree);
    }

    @Test
    void findsTheRightJdkAmongOthersWithoutStartingOne() throws Exception {
        jdk("java-17", "17.0.15");
        jdk("java-21", "21.0.1");
        jdk("java-25", "25.0.3");
        jdk("java-26", "26");

        assertThat(kvant(Map.of(), "version").out()).startsWith("java-25: ");
    }

    @Test
    void anExplicitJdkWinsAndAWrongOneIsSaid() throws Exception {
        Path wrong = jdk("java-17", "17.0.15");
        jdk("java-25", "25.0.3");
        Path chosen = jdk("mine", "25");

        assertThat(kvant(Map.of("KVANT_JAVA_HOME", chosen.toString()), "version")
                        .out())
                .startsWith("mine: ");
        Result refused = kvant(Map.of("KVANT_JAVA_HOME", wrong.toString()), "version");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err().lines()).singleElement().asString().contains("is not a JDK 25");
    }

    @Test
    void aJavaHomeOfAnotherVersionIsPassedOver() throws Exception {
        Path old = jdk("java-17", "17.0.15");
        jdk("java-25", "25.0.3");

        assertThat(kvant(Map.of("JAVA_HOME", old.toString()), "version").out()).startsWith("java-25: ");
    }

    @Test
    void withoutAJdkItSaysHowToGetOne() throws Exception {
        Result result = kvant(Map.of(), "version");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err().lines()).singleElement().asString().contains("no JDK 25 found: install one");
    }

    @Test
    void tooFewFilesAreSaidBeforeAnythingFails() throws Exception {
        jdk("java-25", "25.0.3");
        Path limited = tree.resolve("limited");
        script(limited, "#!/bin/sh\nulimit -n $1\nshift\nexec \"$@\"\n");
        String kvant = tree.resolve("kvant").toString();

        Result few = finish(start(limited, Map.of(), "64", kvant, "version"));
        Result enough = finish(start(limited, Map.of(), "200", kvant, "version"));

        assertThat(few.code()).isEqualTo(1);
        assertThat(few.err().lines()).singleElement().asString().contains("only 64 files", "ulimit -n 1024");
        assertThat(enough.code()).isZero();
    }

    @Test
    void buildsOnFirstUseAndWhenSourcesAreNewer() throws Exception {
        jdk("java-25", "25.0.3");

        Result first = kvant(Map.of(), "version");
        assertThat(first.err().lines()).singleElement().asString().contains("building node", "the log is");
        assertThat(lastBuild())
                .contains(" -T 2 -Dmaven.test.skip -Dkvant.test.alone.skip=true ", " -pl cli -am package")
                .doesNotContain("lab");
        assertThat(tree.resolve("target/kvant-build.log")).content().contains("Building jar: a/target/a.jar");
        assertThat(kvant(Map.of(), "version").err()).isEmpty();
        assertThat(builds()).isEqualTo(1);

        Files.setLastModifiedTime(tree.resolve("cli/src/main/Main.java"), FileTime.from(Instant.now()));
        kvant(Map.of(), "version");
        assertThat(builds()).isEqualTo(2);
    }

    /// The JVM refuses two collectors.
    @Test
    void aClientCommandStartsWithTheCollectorThatAPersonChose() throws Exception {
        jdk("java-25", "25.0.3");

        assertThat(kvant(Map.of(), "get", "key").out()).contains("-XX:+UseSerialGC");
        assertThat(kvant(Map.of("KVANT_JAVA_OPTS", "-XX:+UseZGC"), "get", "key").out())
                .contains("-XX:TieredStopAtLevel=1", "-XX:+UseZGC")
                .doesNotContain("-XX:+UseSerialGC");
        assertThat(kvant(Map.of(), "inspect").out()).doesNotContain("-XX:+UseSerialGC");
    }

    @Test
    void aTerminalShowsWhichModuleItIsAtInOneLine() throws Exception {
        Path script = Path.of("/usr/bin/script");
        assumeTrue(Files.isExecutable(script), "there is no terminal to be had");
        jdk("java-25", "25.0.3");

        String kvant = "'" + tree.resolve("kvant") + "' version";
        Result result = finish(start(script, Map.of(), "-qec", kvant, "/dev/null"));

        assertThat(result.out())
                .contains("\r\033[Kkvant: [2/18] Kvant engine, the port\r\033[K")
                .contains("java-25: ");
        assertThat(result.out().split("\n")).as("lines of a terminal").hasSize(2);
    }

    @Test
    void aNodeThatIsStartedDoesNotWaitForItsCache() throws Exception {
        Path hold = Files.createFile(jdk("java-25", "25.0.3").resolve("bin/hold"));
        Path trained = tree.resolve(".build/trained");

        assertThat(kvant(Map.of(), "serve").out()).endsWith("kvant.cli.Main serve\n");
        assertThat(trained).doesNotExist();
        Files.delete(hold);
        await().untilAsserted(() -> assertThat(trained).exists());

        Files.delete(trained);
        kvant(Map.of(), "version");
        assertThat(trained).as("a first answer does not wait for it").doesNotExist();
        assertThat(builds()).isEqualTo(1);
        kvant(Map.of(), "lab", "list");
        assertThat(trained).as("nodes that are measured start from it").exists();
    }

    @Test
    void theLaboratoryIsBuiltOnFirstUseAndTheNodeStaysAsItIs() throws Exception {
        jdk("java-25", "25.0.3");
        kvant(Map.of(), "version");

        String call = kvant(Map.of(), "load", "URL").out();
        assertThat(call)
                .endsWith("/cli/target/dist/lib/*:" + tree.toRealPath()
                        + "/lab/lab/target/dist/lib/* kvant.cli.Main load URL\n");
        assertThat(lastBuild()).contains(" -Dkvant.dist.skip -pl lab/lab -am ");
        assertThat(kvant(Map.of(), "lab", "list").err()).isEmpty();
        assertThat(builds()).isEqualTo(2);

        Files.setLastModifiedTime(tree.resolve("lab/load/pom.xml"), FileTime.from(Instant.now()));
        kvant(Map.of(), "version");
        assertThat(builds()).as("an edit of the laboratory").isEqualTo(2);
        kvant(Map.of(), "help", "profile");
        assertThat(builds()).isEqualTo(3);
        assertThat(lastBuild()).contains(" -pl lab/lab -am ");

        Files.setLastModifiedTime(tree.resolve("cli/src/main/Main.java"), FileTime.from(Instant.now()));
        kvant(Map.of(), "compare", "a", "b");
        assertThat(lastBuild()).as("an edit of the node").contains(" -pl cli -am ");
        Files.setLastModifiedTime(tree.resolve("pom.xml"), FileTime.from(Instant.now()));
        kvant(Map.of(), "compare", "a", "b");
        assertThat(lastBuild()).as("both in one run").contains(" -pl cli,lab/lab -am ");
        assertThat(builds()).isEqualTo(5);
    }

    @Test
    void whatAnExperimentMayStartIsBuiltBeforeItRuns() throws Exception {
        jdk("java-25", "25.0.3");

        kvant(Map.of(), "lab", "run", "peers");

        assertThat(lastBuild()).contains(" -pl cli,lab/lab,lab/bench -am ");
    }

    @Test
    void buildsAgainWhenASourceIsGone() throws Exception {
        jdk("java-25", "25.0.3");
        kvant(Map.of(), "version");

        Files.delete(tree.resolve("cli/src/main/Main.java"));
        kvant(Map.of(), "version");

        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void aFailedBuildNamesItsLogAndIsTriedAgain() throws Exception {
        jdk("java-25", "25.0.3");
        Files.writeString(tree.resolve("broken"), "");

        Result failed = kvant(Map.of(), "version");

        assertThat(failed.code()).isEqualTo(1);
        String lastLine = failed.err().lines().toList().getLast();
        Path log = Path.of(lastLine.substring(lastLine.indexOf(" in ") + 4));
        assertThat(log).content().contains("[ERROR] broken");
        Files.delete(tree.resolve("broken"));
        assertThat(kvant(Map.of(), "version").code()).isZero();
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void twoFirstUsesAtOnceBuildOnce() throws Exception {
        jdk("java-25", "25.0.3");
        Process one = start(Map.of(), "version");
        Process two = start(Map.of(), "version");

        assertThat(finish(one).out()).startsWith("java-25: ");
        assertThat(finish(two).out()).startsWith("java-25: ");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void ownOptionsComeAfterTheDefaultsAndArgumentsStayWhole() throws Exception {
        jdk("java-25", "25.0.3");

        String call = kvant(Map.of("KVANT_JAVA_OPTS", "-Xmx128m -Dx=y"), "serve", "--data", "two words")
                .out();

        assertThat(call).containsSubsequence("-Xmx", "-Xmx128m -Dx=y", "kvant.cli.Main serve --data two words");
        assertThat(call).contains("--enable-native-access=ALL-UNNAMED", "-cp " + tree.toRealPath());
    }

    @Test
    void aLinkToTheLauncherWorks() throws Exception {
        jdk("java-25", "25.0.3");
        Path link = Files.createSymbolicLink(folder.resolve("link"), tree.resolve("kvant"));

        Process process = start(link, Map.of(), "version");

        assertThat(finish(process).out()).startsWith("java-25: ");
    }

    @Test
    void testShowsTheClosingLinesAndItsOutcome() throws Exception {
        jdk("java-25", "25.0.3");

        Result passed = kvant(Map.of(), "test");
        assertThat(passed.code()).isZero();
        assertThat(passed.out()).contains("Tests run: 7, Failures: 0");

        Files.writeString(tree.resolve("broken"), "");
        assertThat(kvant(Map.of(), "test").code()).isNotZero();
    }

    /// The second build is that of the tests that run alone.
    @Test
    void aTestThatFailsKeepsNoOtherFromRunningAndIsNamedAtTheEnd() throws Exception {
        jdk("java-25", "25.0.3");
        Files.writeString(tree.resolve("failing"), """
                <testsuite name="a.AbcTest">
                  <testcase name="passes" classname="a.AbcTest" time="0.1"/>
                  <testcase name="fails[1]" classname="a.AbcTest" time="0.1">
                    <failure message="no" type="java.lang.AssertionError"><![CDATA[no]]></failure>
                  </testcase>
                  <testcase name="passesTheSecondTime" classname="a.AbcTest" time="0.1">
                    <flakyFailure message="no" type="java.lang.AssertionError"><![CDATA[no]]></flakyFailure>
                  </testcase>
                  <testcase name="throws" classname="a.AbcTest" time="0.1">
                    <error type="java.lang.IllegalStateException"><![CDATA[no]]></error>
                  </testcase>
                </testsuite>
                """);

        Result failed = kvant(Map.of(), "test");

        assertThat(failed.code()).isEqualTo(1);
        assertThat(builds()).isEqualTo(2);
        assertThat(failed.err().lines())
                .containsExactly("kvant: tests failed:", "  a.AbcTest#fails[1]", "  a.AbcTest#throws");
        assertThat(kvant(Map.of(), "test", "-pl", "engine").code()).isEqualTo(1);
    }

    @Test
    void aTestThatHangsIsAFailureToo() throws Exception {
        jdk("java-25", "25.0.3");
        Files.writeString(tree.resolve("hanging"), "");

        Result failed = kvant(Map.of(), "test");

        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.err()).contains("There was a timeout in the fork");
    }

    @Test
    void namesOfFilesAreUtf8WhateverTheLocaleIs() throws Exception {
        jdk("java-25", "25.0.3");

        assertThat(kvant(Map.of("LC_ALL", "POSIX"), "locale").out()).isEqualTo("C.UTF-8\n");
        assertThat(kvant(Map.of("LANG", "tr_TR.UTF-8"), "locale").out()).isEqualTo("C.UTF-8\n");
    }

    @Test
    void aTestOfOneModuleLeavesTheBuildOfTheOthersToTheNextCommand() throws Exception {
        jdk("java-25", "25.0.3");
        kvant(Map.of(), "version");

        assertThat(kvant(Map.of(), "test", "-pl", "engine").code()).isZero();
        kvant(Map.of(), "version");

        assertThat(builds()).isEqualTo(3);
    }

    @Test
    void anOptionThatMavenDoesNotKnowLeavesWhatIsBuilt() throws Exception {
        jdk("java-25", "25.0.3");
        kvant(Map.of(), "version");

        Result refused = kvant(Map.of(), "test", "--bogus");
        assertThat(refused.code()).isNotZero();
        assertThat(refused.err()).contains("Unrecognized option: --bogus");
        kvant(Map.of(), "version");

        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void helpOfTestRunsNothing() throws Exception {
        jdk("java-25", "25.0.3");
        kvant(Map.of(), "version");

        assertThat(kvant(Map.of(), "test", "--help").out()).contains("kvant.cli.Main help test");

        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void anUnknownBenchmarkIsRefusedBeforeAnythingIsBuilt() throws Exception {
        jdk("java-25", "25.0.3");
        plantBenchmark("engine");

        Result refused = kvant(Map.of(), "bench", "eng.ne");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().lines())
                .singleElement()
                .asString()
                .contains("unknown benchmark 'eng.ne'", "./kvant bench --help");
        assertThat(tree.resolve("builds")).doesNotExist();
    }

    @Test
    void aBenchmarkRunsOutOfTheOneBuildAndItsNodesAsServeDoes() throws Exception {
        jdk("java-25", "25.0.3");
        plantBenchmark("engine");

        String call = kvant(Map.of(), "bench", "engine", "--quick").out();
        String help = kvant(Map.of(), "bench", "--help").out();

        assertThat(call)
                .contains("-Dkvant.node.classpath=" + tree.toRealPath() + "/cli/target/dist/lib/*")
                .contains("-Dkvant.node.cache=" + tree.toRealPath() + "/cli/target/dist/kvant.aot")
                .contains("-Dkvant.node.options=--enable-native-access=ALL-UNNAMED")
                .contains("/lab/bench/target/classes")
                .endsWith("kvant.bench.Main engine --quick\n");
        assertThat(help).endsWith("kvant.bench.Main --help\n");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void packagesHaveTheVersionOfTheTreeAndTheTimeThatIsGiven() throws Exception {
        jdk("java-25", "25.0.3");
        Files.writeString(
                tree.resolve("pom.xml"), "<project>\n  <version>7.1</version>\n  <version>8</version>\n</project>\n");

        String call =
                kvant(Map.of("SOURCE_DATE_EPOCH", "17"), "package", "a folder").out();

        assertThat(call)
                .contains("/lab/tools/dist/target/classes", "/lab/tools/dist/target/dist/lib/*")
                .endsWith("kvant.dist.Main " + tree.toRealPath() + " 7.1 17 a folder\n");
    }

    @Test
    void aProofRunsAsABenchmarkDoes() throws Exception {
        jdk("java-25", "25.0.3");

        String call = kvant(Map.of(), "prove", "attack", "list").out();

        assertThat(call)
                .contains("-Dkvant.node.classpath=" + tree.toRealPath() + "/cli/target/dist/lib/*")
                .endsWith("kvant.bench.Prove attack list\n");
        assertThat(builds()).isEqualTo(1);
        String trials = kvant(Map.of(), "prove", "--only", "kill-always").out();
        assertThat(trials)
                .contains("/lab/tools/prove/target/classes", "-Dkvant.node.classpath=")
                .endsWith("kvant.prove.Main --only kill-always\n");
    }

    private void plantBenchmark(String name) throws IOException {
        Path sources = Files.createDirectories(tree.resolve("lab/bench/src/main/java"));
        Files.writeString(sources.resolve("Bench.java"), "@Command(\n        name = \"" + name + "\",\n");
        age(tree);
    }

    private Path jdk(String name, String version) throws IOException {
        Path home =
                Files.createDirectories(jvmFolder.resolve(name).resolve("bin")).getParent();
        script(home.resolve("bin/java"), FAKE_JAVA.replace("$JDK_NAME", name));
        script(home.resolve("bin/javac"), "#!/bin/sh\nexit 1\n");
        Files.writeString(
                home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\nOS_ARCH=\"x\"\n");
        return home;
    }

    private long builds() throws IOException {
        return Files.readAllLines(tree.resolve("builds")).size();
    }

    private String lastBuild() throws IOException {
        return Files.readAllLines(tree.resolve("builds")).getLast();
    }

    private Result kvant(Map<String, String> environment, String... arguments) throws Exception {
        return finish(start(environment, arguments));
    }

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        return start(tree.resolve("kvant"), environment, arguments);
    }

    private Process start(Path launcher, Map<String, String> environment, String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(launcher.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH", "/usr/bin:/bin", "HOME", folder.toString(), "KVANT_JVM_FOLDER", jvmFolder.toString()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Result finish(Process process) throws IOException, InterruptedException {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), out, err);
    }

    /// Files older than any build that follows.
    private static void age(Path tree) throws IOException {
        FileTime longAgo = FileTime.from(Instant.now().minusSeconds(3600));
        try (var files = Files.walk(tree)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, longAgo);
            }
        }
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path launcher() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        assertThat(folder).as("the root of the project").isNotNull();
        return folder.resolve("kvant");
    }
}
