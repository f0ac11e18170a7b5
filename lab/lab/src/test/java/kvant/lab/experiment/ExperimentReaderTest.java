package kvant.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Variant.Server;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.load.http.Target;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.workload.Workload;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Experiments as files: their meaning, and the errors of wrong ones.
class ExperimentReaderTest {

    static final String SMALL = """
            name: small
            title: A small one
            repeats: 2
            variants:
              - name: a
                serve: {executor: sync}
              - name: b
                serve: {executor: async, queue: 8}
            load: {rate: 100, connections: 16, duration: 2s}
            phases:
              - {name: put, workload: put}
              - {name: get, workload: get, prefill: 500}
            """;

    static Experiment read(String text) {
        return read(text, Scale.FULL);
    }

    static Experiment read(String text, Scale scale) {
        return Experiments.read("e.yaml", text, Path.of("/somewhere"), scale);
    }

    @TempDir
    private Path own;

    /// One of them would never be measured.
    @Test
    void stepsOfTheSameNameAreRefused() {
        String text = SMALL.replace("name: b\n", "name: a-big\n").replace("{name: get,", "{name: big-put,");

        assertThatThrownBy(() -> read(text))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("are called '01-a-big-put'");
    }

    @Test
    void aWorkloadMayHaveAFileOfItsOwn() throws IOException {
        Files.writeString(own.resolve("mine.yaml"), """
                mix: {get: 0.7, insert: 0.3}
                keys: 5000
                values: 10-20
                hits: 0.5
                """);
        String text = SMALL.replace("workload: put", "workload: mine.yaml, prefill: 100");
        Workload workload = Experiments.read("e.yaml", text, own, Scale.FULL)
                .phases()
                .getFirst()
                .workload();
        assertThat(workload.name()).isEqualTo("mine");
        assertThat(workload.keys()).isEqualTo(5000);
        assertThat(workload.values().text()).isEqualTo("10-20");
        assertThat(workload.hits()).isEqualTo(0.5);

        String changed = text.replace("mine.yaml", "mine.yaml, value-size: 7, hits: 1");
        workload = Experiments.read("e.yaml", changed, own, Scale.FULL)
                .phases()
                .getFirst()
                .workload();
        assertThat(workload.values().text()).isEqualTo("7");
        assertThat(workload.hits()).isEqualTo(1);
        assertThatThrownBy(() -> Experiments.read("e.yaml", text, own.resolve("no"), Scale.FULL))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("mine.yaml");
    }

    @Test
    void loadIsTheDefaultOfEachPhase() {
        Experiment experiment = read(SMALL);

        Phase get = experiment.phase("get");
        assertThat(get.clients().connections()).isEqualTo(16);
        assertThat(get.pace().rate()).isEqualTo(100);
        assertThat(get.pace().duration()).isEqualTo(Duration.ofSeconds(2));
        assertThat(get.workload().keys()).isEqualTo(500);
        assertThat(experiment.phase("put").prefill()).isZero();
        assertThat(get.clients().spin()).isZero();
    }

    @Test
    void timesOfClientsReachThem() {
        Experiment experiment = read(SMALL.replace("rate: 100", "rate: 100, spin: 2ms, timeout: 7s"));

        Clients clients = experiment.phase("put").clients();
        assertThat(clients.spin()).isEqualTo(Duration.ofMillis(2));
        assertThat(clients.timeout()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void repeatsDrawOtherKeysAndVariantsTheSame() {
        Experiment experiment = read(SMALL);
        Target target = Target.parse("http://127.0.0.1:1");
        Phase get = experiment.phase("get");

        LoadPlan first = get.plan(target, experiment.variant("a"), 1);
        assertThat(get.plan(target, experiment.variant("b"), 1).seed()).isEqualTo(first.seed());
        assertThat(get.plan(target, experiment.variant("a"), 2).seed()).isNotEqualTo(first.seed());
        assertThat(first.firstInsert()).isEqualTo(500);
    }

    @Test
    void whatVariesMakesTheProduct() {
        Experiment experiment = read("""
                name: e
                title: t
                variants:
                  - name: w${workers}-q${queue}
                    title: ${workers} workers
                    serve: {executor: async}
                  - name: other
                    command: [server, "${port}"]
                vary: {workers: [2, 4], queue: [8, unbounded]}
                phases: [{name: put, workload: put}]
                """);

        assertThat(experiment.variants())
                .extracting(Variant::name)
                .containsExactly("w2-q8", "w2-qunbounded", "w4-q8", "w4-qunbounded", "other");
        Variant last = experiment.variant("w4-qunbounded");
        assertThat(last.title()).isEqualTo("4 workers");
        assertThat(((Server.Kvant) last.server()).arguments())
                .containsExactly("--executor", "async", "--workers", "4", "--queue", "unbounded");
    }

    @Test
    void aNameWithoutPlaceholdersGetsTheValues() {
        Experiment experiment = read("""
                name: e
                title: t
                variants: [{name: lsm}]
                vary: {workers: [2, 4], connections: [8, 16]}
                phases: [{name: put, workload: put}]
                """);

        assertThat(experiment.variants())
                .extracting(Variant::name)
                .containsExactly("lsm-2-8", "lsm-2-16", "lsm-4-8", "lsm-4-16");
        assertThat(experiment.variant("lsm-2-16").connections()).isEqualTo(16);
        assertThat(((Server.Kvant) experiment.variant("lsm-2-16").server()).arguments())
                .containsExactly("--workers", "2");
    }

    @Test
    void theQuickScaleOverridesAndSelects() {
        String text = SMALL + """
                questions: [{id: q, text: Which?, compare: [a, b], phase: get}]
                published: [{variant: a, phase: put, percentiles: {50: 1}}]
                quick:
                  repeats: 1
                  variants: [b]
                  phases: [get]
                  load: {duration: 1s, warmup: 0s}
                  phase: {get: {prefill: 50}}
                """;
        Experiment quick = read(text, Scale.QUICK);

        assertThat(quick.scale()).isEqualTo(Scale.QUICK);
        assertThat(quick.plan()).extracting(Step::id).containsExactly("01-b-get");
        assertThat(quick.phase("get").pace().duration()).isEqualTo(Duration.ofSeconds(1));
        assertThat(quick.phase("get").prefill()).isEqualTo(50);
        assertThat(quick.questions()).isEmpty(); // one of its variants is not there
        assertThat(quick.published()).isEmpty();
        assertThat(read(text).plan()).hasSize(8);
        assertThat(read(text).phase("get").prefill()).isEqualTo(500);
    }

    /// An effect of each step on the next is the same for each variant.
    @Test
    void aBlockIsTwoRoundsAndTheSecondIsInTheOppositeOrder() {
        Experiment three = read("""
                name: e
                title: t
                repeats: 3
                variants: [{name: a}, {name: b}, {name: c}]
                phases: [{name: put, workload: put}]
                """);

        assertThat(three.plan())
                .extracting(Step::id)
                .containsExactly(
                        "01-a-put",
                        "01-b-put",
                        "01-c-put",
                        "02-c-put",
                        "02-b-put",
                        "02-a-put",
                        "03-b-put",
                        "03-c-put",
                        "03-a-put");
    }

    @Test
    void theDifferenceThatMattersIsThatOfTheQuestionOrOfTheRun() {
        String questions = "questions: [{id: p, text: x, compare: [a, b]},"
                + " {id: q, text: x, compare: [a, b], margin: 2.5%},"
                + " {id: e, text: x, compare: [a, b], metric: errors, margin: 1%}]\n";
        Experiment experiment = read(SMALL + questions);

        assertThat(experiment.questions()).extracting(Question::margin).containsExactly(0.1, 0.025, 0.01);
        assertThat(experiment.withMargin(0.2).questions())
                .extracting(Question::margin)
                .as("that of errors is a share of all requests")
                .containsExactly(0.2, 0.2, 0.01);
        assertThat(read(ExperimentText.of(experiment))).isEqualTo(experiment);
    }

    @Test
    void whichBlocksAreLeftOutIsFixedBeforehand() {
        assertThat(read(SMALL).disturbed()).isEqualTo(new HostBound(0.1, 0));
        assertThat(read(SMALL + "disturbed: 22.5%\nagain: 3\n").disturbed()).isEqualTo(new HostBound(0.225, 3));
        Experiment off = read(SMALL + "disturbed: off\n");
        assertThat(off.disturbed().above()).isNaN();
        for (Experiment experiment : List.of(read(SMALL), off, off.withDisturbed(new HostBound(0.225, 20)))) {
            assertThat(read(ExperimentText.of(experiment))).isEqualTo(experiment);
        }
        assertThatThrownBy(() -> read(SMALL + "again: 21\n")).hasMessageContaining("from 0 to 20");
    }

    /// Short steps need a calm host more than long ones.
    @Test
    void aScaleHasABoundOfItsOwn() {
        String scales = "disturbed: 20%\nquick: {again: 2}\n";
        assertThat(read(SMALL + "decide: {}\n", Scale.DECIDE).disturbed())
                .isEqualTo(new HostBound(0.05, 6, Duration.ofSeconds(1)));
        assertThat(read(SMALL + scales, Scale.QUICK).disturbed()).isEqualTo(new HostBound(0.2, 2));
        assertThat(read(SMALL + scales + "decide: {disturbed: 7%, again: 0}\n", Scale.DECIDE)
                        .disturbed())
                .isEqualTo(new HostBound(0.07, 0, Duration.ofSeconds(1)));
    }

    @Test
    void variantsTakeTurnsAndEachIsFirstOnce() {
        Experiment experiment = read(SMALL + "profile: {events: [cpu], phases: [put], duration: 7s}\n");

        assertThat(experiment.plan())
                .extracting(Step::id)
                .containsExactly(
                        "01-a-put",
                        "01-b-put",
                        "02-b-put",
                        "02-a-put", //
                        "01-a-get",
                        "01-b-get",
                        "02-b-get",
                        "02-a-get", //
                        "p1-a-put",
                        "p1-b-put");
        Step profiled = experiment.plan().getLast();
        assertThat(experiment.phaseOf(profiled).pace().duration()).isEqualTo(Duration.ofSeconds(7));
        assertThat(experiment.phaseOf(experiment.plan().getFirst()).pace().duration())
                .isEqualTo(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            repeats: 2 | repeat: 2 | e.yaml:3: unknown key 'repeat'; there are letter, name
            repeats: 2 | title: again | e.yaml:3: 'title' for the second time
            repeats: 2 | repeats: 0 | e.yaml:3: 'repeats': '0' is not a number from 1 to 200
            repeats: 2 | objective: fast | e.yaml:3: 'objective': 'fast' is not an objective
            repeats: 2 | disturbed: 0% | e.yaml:3: 'disturbed': '0%' is neither a share from 1% to 100% nor 'off'
            name: small | name: Small One | e.yaml:1: 'Small One' is not a name
            - name: b | - name: a | e.yaml:5: two of the variants are called 'a'
            {executor: sync} | {port: 80} | e.yaml:6: 'port' is set by the laboratory
            {executor: sync} | {--executor: sync} | e.yaml:6: '--executor' is not an option of 'kvant serve'
            {executor: sync} | {executor: [sync]} | e.yaml:6: here must be one value
            serve: {executor: sync} | server: {executor: sync} | e.yaml:6: unknown key 'server'
            serve: {executor: sync} | ready: /livez | e.yaml:6: 'ready' needs a 'command'
            serve: {executor: sync} | command: [peer] | e.yaml:6: nothing tells the server its port
            serve: {executor: sync} | program: sh | e.yaml:6: 'program': 'sh' is not serve, bench, one-nio
            serve: {executor: sync} | connections: 0 | e.yaml:6: 'connections': '0' is not a number from 1
            rate: 100 | rate: fast | e.yaml:9: phase 'put', 'rate': 'fast' is not a rate
            rate: 100 | rate: 0 | e.yaml:9: phase 'put', 'rate': '0' is not a rate above 0
            duration: 2s | duration: 2 | e.yaml:9: phase 'put', 'duration': '2' has no unit
            duration: 2s | duration: 0s | e.yaml:9: phase 'put', 'duration': a duration must be above
            duration: 2s | durations: 2s | e.yaml:9: unknown key 'durations'
            connections: 16 | connections: 0 | e.yaml:9: phase 'put', 'connections': at least 1
            connections: 16 | threads: 65 | e.yaml:9: phase 'put', 'threads': more than connections, 64
            connections: 16 | depth: 2000 | e.yaml:9: phase 'put', 'depth': '2000' is not a number from 0
            connections: 16 | spin: 25h | e.yaml:9: phase 'put', 'spin': spin must be from 0s to 24h
            connections: 16 | timeout: 0s | e.yaml:9: phase 'put', 'timeout': timeout must be above 0
            connections: 16 | warmup-limit: x | e.yaml:9: phase 'put', 'warmup-limit': 'x'
            connections: 16 | hits: 2 | e.yaml:9: phase 'put', 'hits': '2' is not a share from 0 to 1
            connections: 16 | hits: much | e.yaml:9: phase 'put', 'hits': it must be a number
            connections: 16 | value-size: big | e.yaml:9: phase 'put', 'value-size': 'big'
            connections: 16 | read-share: 0.5 | e.yaml:9: phase 'put', 'read-share': it needs the workload
            workload: put | workload: eat | e.yaml:11: phase 'put', 'workload': 'eat' is not a workload
            workload: put | seed: 1 | e.yaml:11: phase 'put', 'workload': missing
            prefill: 500 | seed: 1 | e.yaml:12: phase 'get', 'workload': it asks for keys that
            prefill: 500 | prefill: 500, keys: 100 | e.yaml:12: phase 'get', 'prefill': more than the keys, 100
            prefill: 500 | prefill: 500, drain: 2 | e.yaml:12: phase 'get', 'drain': '2' has no unit
            prefill: 500 | prefill: 500, arrivals: x | e.yaml:12: phase 'get', 'arrivals': 'x' is not uniform or
            repeats: 2 | vary: {queue: [1]} | e.yaml:7: 'queue' is varied, and a variant sets it itself
            repeats: 2 | vary: {workers: []} | e.yaml:3: 'workers' has nothing to vary
            repeats: 2 | quick: {phase: {eat: {}}} | e.yaml:3: unknown phase 'eat'
            repeats: 2 | quick: {variants: [c]} | e.yaml:3: 'variants': 'c' is not one of a, b
            repeats: 2 | profile: {events: [gpu]} | e.yaml:3: 'events': 'gpu' is not one of cpu, alloc
            repeats: 2 | questions: [{id: q, text: x, compare: [a]}] | e.yaml:3: 'compare' needs two variants
            repeats: 2 | questions: [{id: q, text: x, compare: [a, c]}] | 'compare': 'c' is not one of
            repeats: 2 | decide: {repeats: 3} | unknown key 'repeats'
            repeats: 2 | at-most: soon | 'at-most'
            repeats: 2 | at-most: 0s | 'at-most'
            repeats: 2 | realtime: maybe | 'realtime'
            repeats: 2 | decide: {realtime: true, load: {spin: 1ms}} | with 'spin' only the generator
            repeats: 2 | nice: 20 | 'nice': '20' is neither a number from 0 to 19 nor 'idle'
            repeats: 2 | questions: [{id: q, text: x, compare: [a, b], metric: stage.moon}] | 'stage.moon' is neither a
            repeats: 2 | questions: [{id: q, text: x, compare: [a, b], metric: p0}] | 'p0' is neither a
            repeats: 2 | questions: [{id: q, text: x, compare: [a, b], margin: 0%}] | '0%' is not a difference
            repeats: 2 | questions: [{id: q, text: x, compare: [a, b], margin: 5}] | '5' is not a difference
            repeats: 2 | published: [{variant: a, phase: put, percentiles: {p50: 1}}] | 'p50' is not a
            """)
    void aWrongFileIsToldItsLine(String right, String wrong, String expected) {
        String text = SMALL.replaceFirst(Pattern.quote(right), wrong);
        assertThat(text).isNotEqualTo(SMALL);

        assertThatThrownBy(() -> read(text))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(expected)
                .message()
                .hasLineCount(1);
    }

    @Test
    void aQuickBlockIsCheckedInFullScaleTooAndNeededForTheQuickOne() {
        assertThatThrownBy(() -> read(SMALL, Scale.QUICK)).hasMessageContaining("it has no 'quick' block");
        assertThatThrownBy(() -> read(SMALL + "quick: {load: {duration: 1}}\n"))
                .hasMessageContaining("e.yaml:13: phase 'put', 'duration': '1' has no unit");
    }

    @Test
    void moreThanCanBeRunIsRefused() {
        assertThatThrownBy(() -> read(SMALL + "vary: {workers: [" + "1, ".repeat(64) + "2]}\n"))
                .hasMessageContaining("more than 64 variants");
    }

    @Test
    void anExperimentIsWrittenAsItIsRead() {
        for (String name : Shipped.names()) {
            for (Scale scale : Scale.values()) {
                Experiment experiment = Shipped.find(name).read(scale);
                Experiment back = read(ExperimentText.of(experiment));
                assertThat(back).as(name).isEqualTo(experiment);
            }
        }
    }

    @Test
    void theCommandThatStartsANodeIsWrittenAsItIsRead() {
        String node = "variants: [{name: n, program: bench, serve: {published: x}}]";
        String text = "name: e\ntitle: t\n" + node + "\nphases: [{name: put, workload: put}]\n";
        Experiment experiment = read(text);

        assertThat(((Server.Kvant) experiment.variant("n").server()).commandLine())
                .containsExactly("kvant", "bench", "serve", "--published", "x");
        assertThat(read(ExperimentText.of(experiment))).isEqualTo(experiment);
        assertThatThrownBy(() -> read(text.replace("serve: {published: x}", "command: [peer, '${port}']")))
                .hasMessageContaining("e.yaml:3: either 'program' or 'command', not both");
    }

    @Test
    void anotherServerIsWrittenAsItIsRead() {
        Experiment experiment = read(SMALL + """
                quick: {}
                """.replace("quick: {}", "objective: p99.9=10ms")
                        + "description: 'a \"quoted\" \\ thing: #1'\n")
                .withRepeats(7);
        Experiment external = read("""
                name: e
                title: "t: \\"x\\""
                variants:
                  - name: peer
                    command: [java, -jar, "my peer.jar", "${port}", "${data}"]
                    ready: http://127.0.0.1:${port}/v0/status
                    environment: {A: "b c"}
                    jvm: [-Xmx1g]
                    entity-path: /x?id={key}
                    start-timeout: 5s
                    connections: 3
                phases: [{name: put, workload: put}]
                """);

        assertThat(read(ExperimentText.of(experiment))).isEqualTo(experiment);
        assertThat(read(ExperimentText.of(external))).isEqualTo(external);
        assertThat(((Server.External) external.variant("peer").server()).folder())
                .isEqualTo("/somewhere");
    }
}
