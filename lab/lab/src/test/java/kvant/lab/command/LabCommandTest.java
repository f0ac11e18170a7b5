package kvant.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import kvant.cli.ChildClasses;
import kvant.cli.ChildNode;
import kvant.cli.Main;
import kvant.cli.serve.ServeCommand;
import kvant.lab.experiment.Shipped;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `kvant lab`, with real nodes.
@Timeout(120)
class LabCommandTest {

    private static final String EXPERIMENT = """
            name: tiny
            title: A tiny one
            repeats: 1
            variants:
              - {name: sync, serve: {executor: sync, durability: none, event-loops: 1, warm-up: 0}, jvm: [-Xmx64m]}
              - {name: odd, serve: {no.such.option: 1}}
            load: {rate: 200, connections: 4, warmup: 0s, window: 100ms, drain: 500ms}
            phases:
              - {name: get, workload: get, prefill: 200, duration: 300ms}
            """;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int kvant(String... arguments) {
        return ChildClasses.lent(() -> Main.execute(new PrintWriter(out), new PrintWriter(err), arguments));
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("tiny.yaml"), ChildClasses.quick(text));
    }

    private Path work() throws IOException {
        return Files.createDirectories(folder.resolve("work"));
    }

    @Test
    void anExperimentIsRunOnARealNodeAndLeavesItsFilesAlone() throws IOException {
        Path results = folder.resolve("results");
        int code = kvant(
                "lab", "run", file(EXPERIMENT).toString(), "--out", results.toString(), "--work", work().toString());

        assertThat(code).isEqualTo(1); // one of two variants cannot start
        assertThat(err.toString())
                .contains("variant odd is left out", "unknown option '--no.such.option'")
                .contains("[1/2] sync, get, repeat 1, about ", "[1/2] sync, get, repeat 1: 60 answers, p99 ")
                .contains("the results are partial: 1 of 2 steps failed");
        assertThat(out.toString()).isEqualTo(results.resolve("report.html") + System.lineSeparator());
        assertThat(results.resolve("report.html")).isNotEmptyFile();
        assertThat(results.resolve("run.json"))
                .content()
                .contains("\"command\": \"./kvant lab run tiny.yaml\"", "\"status\": \"partial\"", "\"--executor\"");
        Path step = results.resolve("runs/01-sync-get");
        assertThat(step.resolve("load.json")).content().contains("\"200\": 60", "\"complete\": true");
        for (String name : List.of("node.jfr", "gc.log", "samples.json")) {
            assertThat(step.resolve(name)).isNotEmptyFile();
        }
        assertThat(work()).isEmptyDirectory();
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    @Test
    void theSameRunInAProcessOfItsOwnIsStoppedByASignalAndGoesOn() throws Exception {
        String text = EXPERIMENT
                .replace("repeats: 1", "repeats: 2")
                .replace("  - {name: odd, serve: {no.such.option: 1}}\n", "");
        Path results = folder.resolve("results");
        List<String> run = List.of(
                "lab",
                "run",
                file(text.replace("300ms", "60s")).toString(),
                "--out",
                results.toString(),
                "--work",
                work().toString());
        try (ChildNode lab = ChildNode.run(List.of("-Xmx256m"), run)) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> Files.exists(results.resolve("runs/01-sync-get/node.log"))
                            && Files.readString(results.resolve("runs/01-sync-get/node.log"))
                                    .contains("listening"));
            lab.terminate();
            assertThat(lab.awaitExit()).isEqualTo(1);
            assertThat(String.join("\n", lab.stderr()))
                    .contains("the results are partial: stopped with 2 of 2 steps to go", "--resume " + results);
        }
        assertThat(work()).isEmptyDirectory();
        assertThat(results.resolve("run.json")).content().contains("\"status\": \"partial\"");
        assertThat(nodes(results)).isEmpty();

        Path spelt = results.resolve("experiment.yaml");
        Files.writeString(spelt, Files.readString(spelt).replace("60s", "300ms"));
        assertThat(kvant("lab", "run", "--resume", results.toString(), "--work", work().toString()))
                .as(err::toString)
                .isZero();
        assertThat(results.resolve("run.json"))
                .content()
                .contains("\"status\": \"complete\"", "\"id\": \"02-sync-get\"")
                .doesNotContain("planned");
    }

    /// Processes whose command line has this folder in it.
    private static List<ProcessHandle> nodes(Path results) {
        return ProcessHandle.allProcesses()
                .filter(one -> one.info().commandLine().orElse("").contains(results.toString()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            run                                | either an experiment or '--resume DIR' is needed | 2
            run E --resume x                   | either an experiment or '--resume DIR' is needed | 2
            run --resume x --quick | '--resume' continues the experiment with its options | 2
            run --resume x --at-most 1h        | only '--work' and '--lang' go with it | 2
            run E --until-decided --at-most 0s | '--at-most': '0s' is no time | 2
            run E --variants nine              | unknown variant 'nine'; there are w2-qunbounded | 2
            run E --phases eat                 | unknown phase 'eat'; there are put, get, put-wide | 2
            run E --repeats 0                  | '0' is not a number from 1 to 200 | 2
            run E --duration 5                 | '5' has no unit | 2
            run E --work /no/such/folder       | cannot create files in /no/such/folder | 1
            run Z                              | unknown experiment 'Z', and no such file | 1
            run --resume /no/such/folder       | was not created by 'kvant lab run' | 1
            show                               | 'NAME' is needed | 2
            check no.yaml                      | unknown experiment 'no.yaml', and no such file | 1
            `` | a command is needed: run, list, show, check, try, compare-commits, plan or report | 2
            """)
    void aWrongCommandIsExplainedInOneLine(String arguments, String expected, int code) {
        String[] words = ("lab " + arguments).strip().split(" +");

        assertThat(kvant(words)).isEqualTo(code);
        assertThat(err.toString().lines()).singleElement().asString().contains(expected);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void theListTellsLetterNameQuestionAndTime() {
        assertThat(kvant("lab", "list")).isZero();
        assertThat(out.toString()).contains("E  pool-and-queue", "Are four workers better", "with --quick about");
        assertThat(Shipped.names())
                .allSatisfy(name -> assertThat(out.toString()).contains(name));
    }

    @Test
    void showSpellsAnExperimentOut() {
        assertThat(kvant("lab", "show", "E", "--quick")).isZero();
        assertThat(out.toString())
                .contains("E, pool-and-queue, quick", "5 variants, 2 phases, 4 repeats: 28 steps")
                .contains("the host or other processes took more than 10% of the processors are left out")
                .contains("kvant serve --engine lsm --executor async --durability none --workers 4 --queue 8");
    }

    @Test
    void checkSaysWhatIsDoubtfulAndWhatCannotStart() throws IOException {
        assertThat(kvant("lab", "check", "E")).as(err::toString).isZero();
        assertThat(out.toString()).contains("warning: variant w4-q64, phases put, get: a queue of 64 can never fill");

        assertThat(kvant("lab", "check", file(EXPERIMENT).toString())).isEqualTo(1);
        assertThat(err.toString())
                .contains("variant odd: this Kvant does not start with --no.such.option 1: unknown option")
                .contains("1 of 2 variants cannot be started");
    }

    /// With benchmarks that are built, whose command one of them starts its nodes with.
    @ParameterizedTest
    @CsvSource({"A", "B", "C", "D", "E", "F", "G", "H"})
    void whatIsShippedCanBeStartedByThisKvant(String letter) throws IOException {
        Files.createDirectories(folder.resolve("lab/bench/target/lib"));
        System.setProperty("kvant.root", folder.toString());
        try {
            assertThat(kvant("lab", "check", letter)).as(err::toString).isZero();
        } finally {
            System.clearProperty("kvant.root");
        }
    }

    @Test
    void whatServeRefusesIsKnownWithoutServing() {
        assertThat(ServeCommand.obstacle(List.of("--executor", "async", "--workers", "2")))
                .isEmpty();
        assertThat(ServeCommand.obstacle(List.of("--executor", "sync", "--workers", "2")))
                .contains("'--workers' needs");
        assertThat(ServeCommand.obstacle(List.of("--lsm.memtable", "0"))).contains("is 64 KiB to 1 GiB");
        assertThat(ServeCommand.obstacle(List.of("--lsm.cache", "100KiB"))).contains("is at least 1 MiB");
        assertThat(ServeCommand.obstacle(List.of("--engine", "rocksdb", "--rocksdb.preset", "mine")))
                .contains("'mine' is not one of");
    }
}
