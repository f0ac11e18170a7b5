package kvant.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import kvant.cli.ChildClasses;
import kvant.cli.Main;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.text.child.QuickJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `kvant lab try` and `kvant lab compare-commits`, with real servers.
@Timeout(180)
class LabTrialTest {

    /// A short load and nothing else.
    private static final List<String> SHORT =
            List.of("--workload", "get", "--prefill", "50", "--rate", "100", "--connections", "2", "--duration", "1s");

    private static final List<String> ONCE = List.of("--warmup", "0s", "--repeats", "1", "--no-profile");

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int kvant(List<String> words) {
        return Main.execute(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
    }

    private List<String> lab(String command, Path results) throws IOException {
        Path work = Files.createDirectories(folder.resolve("work"));
        List<String> words = new ArrayList<>(List.of("lab", command));
        words.addAll(SHORT);
        words.addAll(ONCE);
        words.addAll(List.of("--out", results.toString(), "--work", work.toString()));
        return words;
    }

    private static List<String> java() {
        List<String> words = new ArrayList<>(QuickJvm.words());
        words.add("-Xmx128m");
        words.addAll(ChildClasses.options());
        words.add("kvant.cli.Main");
        return words;
    }

    private static List<String> node(String executor) {
        List<String> words = java();
        words.addAll(
                List.of("serve", "--port", "${port}", "--data", "${data}", "--warm-up", "0", "--executor", executor));
        return words;
    }

    @Test
    void anyTwoServersAreRunInTurnAndCompared() throws IOException {
        Path results = folder.resolve("results");
        List<String> words = lab("try", results);
        words.addAll(List.of("--names", "old,new", "--ready", "/readyz", "--"));
        words.addAll(node("sync"));
        words.add("--");
        words.addAll(node("async"));

        assertThat(kvant(words)).as(err::toString).isZero();

        assertThat(err.toString())
                .contains("[1/2] old, get, repeat 1: 100 answers", "[2/2] new, get, repeat 1: 100 answers");
        assertThat(results.resolve("run.json"))
                .content()
                .contains("\"status\": \"complete\"", "./kvant lab try --names old,new --ready /readyz --workload get")
                .contains("--executor async\"")
                .doesNotContain("--out");
        assertThat(results.resolve("report.html")).content().contains("Does p99 change from old to new?");
        assertThat(results.resolve("runs/01-old-get/node.jfr")).doesNotExist(); // it is not declared to be a JVM
        assertThat(folder.resolve("work")).isEmptyDirectory();
    }

    @Test
    void theFileOfATrialRunsAgain() throws IOException {
        Path results = folder.resolve("results");
        List<String> words = lab("try", results);
        words.addAll(List.of("--ready", "/readyz", "--"));
        words.addAll(node("sync"));
        words.add("--");
        words.add("./there-is-no-such-program");
        words.add("${port}");

        assertThat(kvant(words)).isEqualTo(1);
        assertThat(err.toString()).contains("variant b is left out: ", "there-is-no-such-program");
        assertThat(kvant(List.of(
                        "lab", "check", results.resolve("experiment.yaml").toString())))
                .isEqualTo(1);
        assertThat(err.toString()).contains("variant b: ");
    }

    /// The second commit has a node that answers from workers; the launcher of either runs the node of this
    /// test.
    @Test
    void theNodeOfTwoCommitsIsBuiltAndRunInTurn() throws Exception {
        Path tree = repository();
        Path results = folder.resolve("results");
        List<String> words = lab("compare-commits", results);
        words.addAll(List.of("--tree", tree.toString(), "HEAD~1..HEAD", "--", "--durability", "none"));

        assertThat(kvant(words)).as(err::toString).isZero();

        String old = git(tree, "rev-parse", "--short=9", "HEAD~1");
        String changed = git(tree, "rev-parse", "--short=9", "HEAD");
        assertThat(err.toString())
                .contains("kvant: building " + old + " On the loop", "kvant: building " + changed + " On workers")
                .contains("[1/2] " + old + ", get, repeat 1: 100 answers")
                .contains("[2/2] " + changed + ", get, repeat 1: 100 answers");
        assertThat(results.resolve("run.json"))
                .content()
                .contains("./kvant lab compare-commits " + old + ".." + changed + " --workload get")
                .contains("-- --durability none\"");
        assertThat(results.resolve("runs/01-" + old + "-get/node.log"))
                .content()
                .contains("executor sync");
        assertThat(results.resolve("runs/01-" + changed + "-get/node.log"))
                .content()
                .contains("executor async");
        assertThat(results.resolve("runs/01-" + changed + "-get/node.jfr")).isNotEmptyFile();
    }

    private Path repository() throws Exception {
        Path tree = Files.createDirectories(folder.resolve("tree"));
        git(tree, "init", "--quiet");
        Files.writeString(tree.resolve(".gitignore"), "/.build/\n");
        for (String executor : List.of("sync", "async")) {
            String serve = "#!/bin/sh\n[ \"$1\" = version ] && exit 0\necho executor " + executor + "\nexec "
                    + VariantRecord.typed(java()) + " \"$@\" --warm-up 0 --executor " + executor + "\n";
            Path launcher = Files.writeString(tree.resolve("kvant"), serve);
            Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
            git(tree, "add", "--all");
            String subject = executor.equals("sync") ? "On the loop" : "On workers";
            git(tree, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", subject);
        }
        return tree;
    }

    private static String git(Path tree, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-C", tree.toString()));
        command.addAll(List.of(words));
        Process git = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as(said).isZero();
        return said.strip();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            try                                      | two commands are needed, each after '--' | 2
            try -- ./a ${port}                       | two commands are needed, each after '--' | 2
            try -- ./a ${port} --                    | two commands are needed, each after '--' | 2
            try -- ./a -- ./b ${port}                | nothing tells './a' its port | 2
            try --names x -- ./a ${port} -- ./b      | '--names' needs two names, not 'x' | 2
            try --names x,X! -- ./a ${port} -- ./b ${port} | 'X!' is not a name | 2
            try --url ftp://x -- ./a -- ./b          | '--url': | 2
            try --ready up -- ./a ${port} -- ./b     | '--ready' is a path such as /healthz | 2
            try --rate fast -- ./a ${port} -- ./b ${port} | 'rate': | 2
            try --metric speed -- ./a ${port} -- ./b ${port} | 'speed' is neither a percentile | 2
            try --at-most 1h -- ./a ${port} -- ./b ${port} | '--at-most' needs '--until-decided' | 2
            try --lang xx -- ./a ${port} -- ./b ${port} | '--lang': | 2
            compare-commits                          | 'A..B' is needed | 2
            compare-commits A..B                     | this program has no source tree | 1
            compare-commits A..B --tree /            | / is no working tree of git | 1
            """)
    void aWrongCommandIsExplainedInOneLine(String arguments, String expected, int code) {
        List<String> words = List.of(("lab " + arguments).strip().split(" +"));

        assertThat(kvant(words)).isEqualTo(code);
        assertThat(err.toString().lines()).singleElement().asString().contains(expected);
        assertThat(out.toString()).isEmpty();
    }
}
