package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.experiment.Step;
import kvant.lab.result.StepRecord.Disturbance;
import kvant.lab.run.StepRunner.CalmRule;
import kvant.load.plan.LoadPlan;
import kvant.load.record.RequestCounts;
import kvant.load.result.ResultFile;
import kvant.load.run.RunResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rounds whose variants are measured in turns, with real processes.
@Tag("full") // two minutes of rounds
class InterleavedRunTest extends LabRunFixture {

    private static final Duration SLICE = Duration.ofMillis(200);

    private final List<String> heard = new ArrayList<>();
    private final List<LoadPlan> loads = new ArrayList<>();
    private final RunListener hearing = new RunListener() {
        @Override
        public void begins(Step step, int number, int of, Duration left) {
            heard.add(step.id() + " " + number + "/" + of);
        }

        @Override
        public void begins(LoadPlan plan) {
            loads.add(plan);
        }

        @Override
        public void disturbed(Step step, Set<Disturbance> by) {
            heard.add(step.id() + " disturbed");
        }
    };

    private static Experiment interleaved(Experiment experiment, double above, int again) {
        return experiment
                .withPhases(phase -> phase.with("duration", "800ms").with("window", "200ms"))
                .withDisturbed(new HostBound(above, again, SLICE));
    }

    private LabRun.Outcome measured(Experiment experiment) throws IOException {
        return LabRun.run(request(experiment, _ -> ""), new Instruments() {}, hearing, stop);
    }

    /// The servers of the loads in their order, as letters.
    private String order() {
        List<String> urls =
                loads.stream().map(one -> one.target().url()).distinct().toList();
        StringBuilder order = new StringBuilder();
        loads.forEach(
                one -> order.append((char) ('a' + urls.indexOf(one.target().url()))));
        return order.toString();
    }

    private Map<?, ?> step(int at) throws IOException {
        return (Map<?, ?>) ((List<?>) json("run.json").get("steps")).get(at);
    }

    @Test
    void variantsAreMeasuredInTurnsAndEachSecondTurnIsInTheOppositeOrder() throws IOException {
        LabRun.Outcome outcome = measured(interleaved(twoNodes(), Double.NaN, 0));

        assertThat(outcome.partialReason()).isNull();
        assertThat(heard).containsExactly("01-a-put 1/2", "01-b-put 2/2");
        assertThat(order()).isEqualTo("abbaabba");
        assertThat(statuses()).containsExactly("01-a-put done", "01-b-put done");
        assertThat(((Map<?, ?>) json("run.json").get("experiment")).get("interleavedNanos"))
                .isEqualTo(200_000_000);
    }

    @Test
    void aTurnHasTheSameKeysForAllVariantsAndTheNextOneOthers() throws IOException {
        measured(interleaved(twoNodes(), Double.NaN, 0));

        List<Long> seeds = loads.stream().map(LoadPlan::seed).toList();
        assertThat(seeds.get(0)).isEqualTo(seeds.get(1)).isNotEqualTo(seeds.get(2));
        assertThat(seeds.get(2)).isEqualTo(seeds.get(3));
        assertThat(loads.get(0).firstInsert()).isEqualTo(loads.get(1).firstInsert());
        assertThat(loads.get(2).firstInsert()).isGreaterThan(loads.get(1).firstInsert());
    }

    @Test
    void aStepIsAllOfItsSlices() throws IOException {
        measured(interleaved(twoNodes(), Double.NaN, 0));

        var load = ResultFile.read(folder.resolve("out/runs/01-a-put/load.json"));
        assertThat(load.requests().due())
                .as("4 slices of 200 ms at 200 a second")
                .isBetween(154L, 166L);
        assertThat(load.latency().response().count()).isEqualTo(load.requests().due());
        assertThat(load.elapsedNanos()).isBetween(800_000_000L, 1_200_000_000L);
        assertThat(load.typedWindows())
                .extracting(one -> one.fromNanos())
                .isSorted()
                .hasSizeGreaterThanOrEqualTo(4);
        assertThat(load.asked().pace().durationNanos()).isEqualTo(800_000_000L);
    }

    /// Whatever the host does, it takes more than less than nothing.
    @Test
    void aDisturbedTurnIsMeasuredAgainForAllVariantsAndNothingOfItCounts() throws IOException {
        measured(interleaved(twoNodes(), -1, 1));

        assertThat(heard).filteredOn(one -> one.endsWith(" disturbed")).hasSize(3);
        assertThat(order())
                .as("a disturbed slice ends its turn, the next attempt is whole and in the same order, so that"
                        + " turns that count alternate, and the fourth turn is as it comes")
                .isEqualTo("aabbbaaabba");
        assertThat(step(0).get("discarded")).isEqualTo(3);
        assertThat(step(1).get("discarded")).isEqualTo(3);
        var load = ResultFile.read(folder.resolve("out/runs/01-a-put/load.json"));
        assertThat(load.requests().due()).isBetween(154L, 166L);
    }

    @Test
    void onAHostThatIsNeverCalmTurnsAreTakenAsTheyCome() throws IOException {
        measured(interleaved(twoNodes(), -1, 1).withRepeats(2));

        assertThat(heard).filteredOn(one -> one.endsWith(" disturbed")).hasSize(CalmRule.MOST_NEVER_CALM);
        assertThat(statuses()).hasSize(4).allMatch(one -> one.endsWith(" done"));
    }

    /// A slice is of 80 requests, those of its warm-up included.
    @ParameterizedTest
    @CsvSource({"20, abccaacca", "100, abccbaacca"})
    void aServerThatFailsIsLeftOutAndTheOthersGoOn(int answers, String measured) throws IOException {
        String failing = "  - {name: b, serve: {answers: %d}}\n".formatted(answers);
        measured(interleaved(experiment("  - {name: a}\n" + failing + "  - {name: c}\n", ""), Double.NaN, 0));

        assertThat(order()).isEqualTo(measured);
        assertThat(statuses()).containsExactly("01-a-put done", "01-b-put failed", "01-c-put done");
        assertThat(step(1).get("reason").toString()).contains("serverEndedUnderLoad");
        for (String id : List.of("01-a-put", "01-c-put")) {
            assertThat(ResultFile.read(folder.resolve("out/runs/" + id + "/load.json"))
                            .requests()
                            .due())
                    .as("all slices of " + id)
                    .isBetween(154L, 166L);
        }
    }

    /// It computes all the time, so that the wait before a slice of the other one is a second, or less where the host
    /// lets it compute so little that it seems to rest.
    @Test
    void aSliceWaitsForTheOtherServersToRest() throws IOException {
        List<Long> waits = new ArrayList<>();
        RunListener timing = new RunListener() {
            private long ended = System.nanoTime();

            @Override
            public void begins(LoadPlan plan) {
                loads.add(plan);
                waits.add(System.nanoTime() - ended);
            }

            @Override
            public void counted(RequestCounts counts) {
                ended = System.nanoTime();
            }
        };
        Experiment experiment = experiment("  - {name: a}\n  - {name: b, serve: {behave: busy}}\n", "");
        LabRun.run(request(interleaved(experiment, Double.NaN, 0), _ -> ""), new Instruments() {}, timing, stop);

        assertThat(order()).isEqualTo("abbaabba");
        assertThat(waits.get(3) + waits.get(4) + waits.get(7))
                .as("before the slices of the one that rests; a look takes 100 ms")
                .isGreaterThan(1_000_000_000L);
    }

    @Test
    void aRoundThatIsStoppedLeavesNothingAndIsMeasuredWholeAfterwards() throws IOException {
        Experiment experiment = interleaved(twoNodes(), Double.NaN, 0);
        RunListener stopping = new RunListener() {
            private int ended;

            @Override
            public void counted(RequestCounts counts) {
                ended++;
                if (ended == 3) {
                    stop.stop();
                }
            }
        };
        LabRun.run(request(experiment, _ -> ""), new Instruments() {}, stopping, stop);

        assertThat(statuses()).containsExactly("01-a-put planned", "01-b-put planned");
        noProcessAndNoDataIsLeft();
        resume();
        assertThat(statuses()).containsExactly("01-a-put done", "01-b-put done");
        assertThat(((Map<?, ?>) json("run.json").get("experiment")).get("interleavedNanos"))
                .isEqualTo(200_000_000);
    }

    /// Measurements of a round in which a server failed are no part of the next attempt.
    @Test
    void aRoundOfWhichAStepIsMissingIsMeasuredWhole() throws IOException {
        Path once = folder.resolve("started");
        assertThat(once.toFile().createNewFile()).isTrue();
        Experiment experiment = experiment("  - {name: a}\n  - {name: b, serve: {once: \"%s\"}}\n".formatted(once), "");
        measured(interleaved(experiment, Double.NaN, 0));
        assertThat(statuses()).containsExactly("01-a-put done", "01-b-put failed");
        Object before = step(0).get("startedAt");

        assertThat(once.toFile().delete()).isTrue();
        resume();
        assertThat(statuses()).containsExactly("01-a-put done", "01-b-put done");
        assertThat(step(0).get("startedAt")).isNotEqualTo(before);
    }

    /// The slowest of all slices are the slowest of the step.
    @Test
    void slowRequestsOfAllSlicesAreThoseOfTheStep() throws IOException {
        List<RunResult> seen = new ArrayList<>();
        Instruments keeping = new Instruments() {
            @Override
            public LoadPlan keepingSlow(LoadPlan plan) {
                return plan.with(p -> p.slowShare = 0.5);
            }

            @Override
            public void writeSlow(RunResult result, Path slow) {
                seen.add(result);
            }

            @Override
            public void attribute(Path load, Path slow, Path recording, Path tail) {
                // nothing
            }
        };
        LabRun.run(request(interleaved(twoNodes(), Double.NaN, 0), _ -> ""), keeping, hearing, stop);

        RunResult first = seen.getFirst();
        assertThat(first.slowest().of()).isEqualTo(first.totals().response().getTotalCount());
        assertThat(first.slowest().requests())
                .hasSize((int) Math.round(first.slowest().of() * 0.5));
        assertThat(first.slowest().requests().getFirst().responseNanos())
                .isCloseTo(first.totals().response().getMaxValue(), withinPercentage(1));
    }
}
