package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `kvant load` and `kvant compare` against a real node.
class LoadCommandTest {

    @TempDir
    private static Path folder;

    private static ChildNode node;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void startNode() throws IOException, InterruptedException {
        node = ChildNode.serve(folder.resolve("data"), "--durability", "none");
    }

    @AfterAll
    static void stopNode() throws Exception {
        node.close();
    }

    private int kvant(String... arguments) {
        return Main.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    }

    /// The lines of stderr, without the warning of a busy machine.
    private List<String> said() {
        return err.toString()
                .lines()
                .filter(line -> !line.startsWith("kvant: this machine is busy"))
                .toList();
    }

    @Test
    void aNodeIsFilledMeasuredAndVerified() throws IOException {
        Path json = folder.resolve("a.json");
        Path svg = folder.resolve("a.svg");
        int code = kvant(
                "load",
                "-c8",
                "-t2",
                "-d1s",
                "--warmup",
                "200ms",
                "-R500",
                "--workload",
                "a",
                "--keys",
                "2k",
                "--prefill",
                "--verify",
                "--value-size",
                "10-200",
                "--json",
                json.toString(),
                "--svg",
                svg.toString(),
                "--hgrm",
                folder.resolve("a.hgrm").toString(),
                "--hlog",
                folder.resolve("a.hlog").toString(),
                "--slow-requests",
                folder.resolve("slow.json").toString(),
                node.url());

        assertThat(err.toString()).contains("kvant: filled with 2000 keys in ");
        assertThat(out.toString())
                .contains("500 requests answered", "Statuses: 200 x ")
                .doesNotContain("Errors");
        assertThat(code).as(err.toString()).isIn(0, 1); // 1 where others keep this machine so busy that it is invalid
        assertThat(json).content().contains("\"errors\": 0", "\"schema\": \"kvant-load/1\"");
        assertThat(svg).content().startsWith("<svg");
        assertThat(folder.resolve("a.hgrm")).isNotEmptyFile();
        assertThat(folder.resolve("a.hlog")).isNotEmptyFile();
        assertThat(folder.resolve("slow.json")).content().contains("\"kept\": 1,\n  \"of\": 500,");
        assertThat(kvant("compare", json.toString(), json.toString(), "--confidence", "0.9"))
                .as("what is invalid is refused")
                .isEqualTo(code);
    }

    @Test
    void jsonIsAllThatGoesToStdout() {
        kvant("load", "-c2", "-d300ms", "--warmup", "0s", "--format", "json", node.url() + "/v0/status");

        assertThat(out.toString())
                .startsWith("{\n  \"schema\": \"kvant-load/1\"")
                .endsWith("}\n");
    }

    @Test
    void theUrlMayFollowPrefill() {
        kvant(
                "load",
                "-c2",
                "-d200ms",
                "--warmup",
                "0s",
                "-R50",
                "--workload",
                "get",
                "--keys",
                "100",
                "--prefill",
                node.url());

        assertThat(err.toString()).contains("kvant: filled with 100 keys in ");
        assertThat(out.toString()).contains("Statuses: 200 x 10");
    }

    @Test
    void newKeysComeAfterAllThatAreFilled() throws IOException, InterruptedException {
        kvant(("load -c1 -d200ms --warmup 0s -R50 --workload put --keys 10 --prefill 3k " + node.url()).split(" "));

        assertThat(out.toString()).contains("10 new keys put, all different");
        HttpRequest last = HttpRequest.newBuilder(URI.create(node.url() + "/v0/entity?id=k00000003009"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(client.send(last, HttpResponse.BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aSearchForARateAnswers() {
        int code = kvant(
                "load",
                "-c4",
                "-d200ms",
                "--warmup",
                "0s",
                "-R20",
                "--find-rate",
                "--slo",
                "p50=1us",
                "--precision",
                "0.9",
                node.url() + "/v0/status");

        assertThat(out.toString()).contains("Highest rate that holds p50=0.001ms: none");
        assertThat(code).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "-d 1s                                       | one URL is needed",
                "-d 30 http://h                              | '30' has no unit",
                "-d 1e3s http://h                            | '1e3s' is not a time",
                "-R 1e12 http://h                            | '1e12' is not a rate",
                "-R 1000G http://h                           | at most 100M",
                "--window 1us http://h                       | a window must be from 10ms",
                "--drain 999999h http://h                    | a drain must be from 0s to 24h",
                "--find-rate --slo p9=1s --hgrm f http://h   | are of one run",
                "-d 0s http://h                              | a duration must be above 0",
                "-R 0 http://h                               | '0' is not a rate above 0",
                "-R abc http://h                             | 'abc' is not a rate",
                "ftp://h                                     | only http://, https:// and redis:// can be measured",
                "--insecure http://h                         | are for https://",
                "--cacert none.pem https://h                 | cannot read 'none.pem'",
                "-H Content-Length:7 http://h                | 'content-length' is no header to choose",
                "-H Host:a -H host:b http://h                | the header 'host' is there twice",
                "h:8080                                      | is not a URL",
                "http://h:99999                              | a port is a number",
                "-c 0 http://h                               | connections must be 1 to",
                "-c 2 -t 3 http://h                          | threads must be at most as many as connections",
                "--depth 0 http://h                          | depth must be",
                "--workload nothing http://h                 | 'nothing' is not a workload",
                "--keys 5 http://h                           | need '--workload'",
                "--workload get --keys 0 http://h            | keys must be",
                "--workload get --hits 2 http://h            | is not a share",
                "--workload put --value-size 1t http://h     | is not a clear size",
                "--workload get --key-dist zip http://h      | is not one of sequential",
                "--arrivals poisson http://h                 | needs a rate",
                "-R 5 --arrivals x http://h                  | is not uniform or poisson",
                "-s put.lua http://h                         | there are no scripts here",
                "-H nocolon http://h                         | is not a header",
                "--find-rate http://127.0.0.1:1              | needs '--slo'",
                "--find-rate --slo p99 http://127.0.0.1:1    | is not an objective",
                "--find-rate --slo p9=1s --workload delete http://h | find less to delete",
                "--verify http://h                           | '--verify' needs '--workload'",
                "--warmup later http://h                     | is not a time",
                "--nonsense http://h                         | unknown option"
            })
    void aWrongCommandLineIsOneLineAndExitCode2(String arguments, String message) {
        int code = kvant(("load " + arguments).split(" +"));

        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("kvant: ")
                .contains(message);
        assertThat(out.toString()).isEmpty();
        assertThat(code).isEqualTo(2);
    }

    @Test
    void keysThatAreNotThereAreSaidToBeMissing() {
        int code = kvant(
                "load",
                "-c1",
                "-d300ms",
                "--warmup",
                "0s",
                "--workload",
                "get",
                "--path",
                "/v0/entity?id=none-{key}",
                node.url());

        assertThat(out.toString()).contains(" of an unexpected status: 404); ", "--prefill puts them first");
        assertThat(said())
                .containsExactly(
                        "kvant: every request failed: 404: these keys are not there; --prefill puts them first");
        assertThat(code).isEqualTo(1);
    }

    @Test
    void aPageThatIsNotThereIsNoMeasurement() {
        int code = kvant("load", "-c1", "-d300ms", "--warmup", "0s", node.url() + "/none");

        assertThat(out.toString()).doesNotContain("--prefill");
        assertThat(said()).containsExactly("kvant: every request failed: 404");
        assertThat(code).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:1,cannot connect to 127.0.0.1:1: Connection refused",
        "http://no-such-host.invalid,cannot find the host 'no-such-host.invalid'"
    })
    void anUnreachableServerIsOneLineAndExitCode1(String url, String message) {
        int code = kvant("load", "-d", "1s", url);

        assertThat(said()).containsExactly("kvant: " + message);
        assertThat(code).isEqualTo(1);
    }

    @Test
    void aFileThatCannotBeReadIsOneLine() {
        assertThat(kvant("compare", "none.json", "none.json")).isEqualTo(1);
        assertThat(err.toString().lines()).containsExactly("kvant: cannot read none.json: there is no such file");
    }

    @Test
    void aLineHoldsWhateverTheArgumentHolds() {
        int code = kvant("load", "-H", "A: b\r\nC: d", "http://h");

        assertThat(err.toString().lines()).singleElement().asString().contains("'A: b??C: d' is not a header");
        assertThat(code).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"',',2,nor files separated by commas", "'',2,nor files separated by commas", "/,1,cannot read"})
    void aSideThatIsNoFileIsOneLine(String side, int expected, String message) {
        int code = kvant("compare", side, side);

        assertThat(err.toString().lines()).singleElement().asString().contains(message);
        assertThat(code).isEqualTo(expected);
    }

    @Test
    void aConfidenceThatIsNoNumberIsOneLine() {
        assertThat(kvant("compare", "--confidence", "x", "a", "b")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("'x' is not a number");
    }

    /// `/dev/full` takes nothing, as a disk that is full.
    @Test
    @EnabledOnOs(OS.LINUX)
    void anOutputThatCannotBeWrittenIsSaidAndTheOthersAreWritten() {
        Path svg = folder.resolve("full.svg");
        int code = kvant(
                "load",
                "-c2",
                "-d300ms",
                "--warmup",
                "0s",
                "--json",
                "/dev/full",
                "--hgrm",
                "/dev/full",
                "--hlog",
                "/dev/full",
                "--svg",
                svg.toString(),
                node.url() + "/v0/status");

        assertThat(said())
                .startsWith(
                        "kvant: cannot write all of /dev/full: the disk may be full",
                        "kvant: cannot write /dev/full: No space left on device",
                        "kvant: cannot write /dev/full: No space left on device")
                .allMatch(line -> line.startsWith("kvant: "));
        assertThat(svg).content().startsWith("<svg");
        assertThat(code).isEqualTo(1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aStdoutThatTakesNothingIsAFailure() throws IOException {
        try (PrintWriter full = new PrintWriter(Files.newOutputStream(Path.of("/dev/full")))) {
            int code = Main.execute(
                    full,
                    new PrintWriter(err),
                    "load",
                    "-c2",
                    "-d300ms",
                    "--warmup",
                    "0s",
                    "--format",
                    "json",
                    node.url() + "/v0/status");

            assertThat(err.toString()).contains("kvant: cannot write all of the result to stdout");
            assertThat(code).isEqualTo(1);
        }
    }

    @Test
    void aRunThatIsInterruptedWritesWhatItHas() throws Exception {
        Path json = folder.resolve("partial.json");
        Path hlog = folder.resolve("partial.hlog");
        try (ChildNode load = ChildNode.run(
                List.of("-Xmx256m"),
                List.of(
                        "load",
                        "-c4",
                        "-d60s",
                        "--warmup",
                        "0s",
                        "-R200",
                        "--json",
                        json.toString(),
                        "--hlog",
                        hlog.toString(),
                        node.url() + "/v0/status"))) {
            Awaitility.await()
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> Files.exists(hlog) && Files.readString(hlog).contains("HIST"));
            load.terminate();

            assertThat(load.awaitExit()).isEqualTo(1);
            assertThat(json).content().contains("\"complete\": false", "\"partial\": \"stopped before its end\"");
        }
    }
}
