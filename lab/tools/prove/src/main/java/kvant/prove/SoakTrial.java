package kvant.prove;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import kvant.lab.process.ProcessSampler;
import kvant.lab.run.ServedNode;
import kvant.load.keys.ValueSizes;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.run.LoadRun;
import kvant.load.run.Prefill;
import kvant.load.run.Progress;
import kvant.load.run.RunResult;
import kvant.load.workload.Workload;
import kvant.prove.journal.Check;
import kvant.prove.journal.Habits;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Violation;

/// One node at 80 % of its capacity for the whole time: half gets, half updates of 1 KB, together with the writers of a
/// journal. Each slice ends with a check of the journal and a sample of what the process holds.
final class SoakTrial {

    private static final double SHARE = 0.8;
    private static final long KEYS = 300_000;
    private static final int VALUE_BYTES = 1_000;
    private static final Duration SLICE = Duration.ofSeconds(30);
    private static final Duration PROBE = Duration.ofSeconds(10);
    private static final double GROWTH = 1.25;
    private static final List<String> HELD = List.of("MiB resident", "descriptors", "threads", "MiB on disk");
    private static final long MIB = 1 << 20;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private SoakTrial() {}

    static Figures run(Stage stage) throws Exception {
        StoreRun run = new StoreRun(stage, Habits.PATIENT, ServedNode.Start.of("--durability", "always"));
        ServedNode node = run.checked();
        LoadPlan plan = plan(node);
        Prefill.run(plan, KEYS, new StopSwitch(), Progress.SILENT);
        load(plan); // warms it up
        double rate = SHARE * load(plan).achievedRate();
        run.figures.add("most requests/s", Math.round(rate)).add("requests", 0);
        List<long[]> samples = new ArrayList<>();
        while (stage.next()) {
            LoadPlan slice = plan.with(p -> {
                p.pace = Pace.open(rate, SLICE);
                p.seed = stage.seed() + stage.trip();
            });
            run.journal.write(node.uri());
            count(load(slice), run.figures);
            run.journal.stop();
            new Check(run.journal, node.uri(), run.figures).all();
            samples.add(held(node));
            stage.say(run.figures.toString());
        }
        grow(samples, run.figures);
        node.kill();
        run.checked().close();
        return run.figures.add("acknowledged", run.journal.acknowledged()).add(run.never, 0);
    }

    private static LoadPlan plan(ServedNode node) {
        Workload mixed = Workload.named("mixed").with(w -> {
            w.keys = KEYS;
            w.values = ValueSizes.fixed(VALUE_BYTES);
        });
        return LoadPlan.of(node.target(), mixed, Clients.defaults(), Pace.closed(PROBE))
                .with(p -> p.verify = true);
    }

    private static RunResult load(LoadPlan plan) throws Exception {
        return LoadRun.run(plan, new StopSwitch(), Progress.SILENT);
    }

    private static void count(RunResult slice, Figures figures) throws Violation {
        RequestCounts counts = slice.counts();
        if (counts.of(Count.WRONG_BODIES) + counts.statusCount(404) + counts.statusCount(500) > 0) {
            throw new Violation("answers that no request should get: " + counts.of(Count.WRONG_BODIES)
                    + " wrong values, statuses " + counts.statuses());
        }
        figures.add("requests", counts.of(Count.SENT))
                .add("refused", counts.statusCount(503))
                .add("without an answer", counts.failedCount())
                .add("p99 ms", slice.totals().response().getValueAtPercentile(99) / NANOS_PER_MILLI)
                .add("most ms the generator was late", slice.totals().lag().getMaxValue() / NANOS_PER_MILLI);
    }

    /// As in [#HELD].
    private static long[] held(ServedNode node) throws IOException {
        ProcessHandle process = ProcessHandle.of(node.pid()).orElseThrow();
        Path proc = Path.of("/proc", Long.toString(node.pid()));
        return new long[] {
            ProcessSampler.look(process).rssBytes() / MIB,
            sum(proc.resolve("fd"), _ -> 1),
            sum(proc.resolve("task"), _ -> 1),
            sum(node.data().resolve("lsm"), file -> file.toFile().length()) / MIB
        };
    }

    /// Files come and go under load: one that is gone has no bytes.
    private static long sum(Path folder, ToLongFunction<Path> ofEach) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.mapToLong(ofEach).sum();
        }
    }

    /// The most that the process held in the second half of the time is hardly more than in the first.
    static void grow(List<long[]> samples, Figures figures) throws Violation {
        int half = samples.size() / 2;
        for (int i = 0; i < HELD.size(); i++) {
            long first = most(samples.subList(0, Math.max(1, half)), i);
            long second = most(samples.subList(half, samples.size()), i);
            figures.add("most " + HELD.get(i), Math.max(first, second));
            if (half > 0 && second > first * GROWTH) {
                throw new Violation(HELD.get(i) + " grow under a constant load: at most " + first
                        + " in the first half, " + second + " in the second");
            }
        }
    }

    private static long most(List<long[]> samples, int index) {
        return samples.stream().mapToLong(sample -> sample[index]).max().orElseThrow();
    }
}
