package kvant.bench.process;

import java.time.Duration;
import kvant.load.http.Target;
import kvant.load.keys.ValueSizes;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.run.LoadRun;
import kvant.load.run.Prefill;
import kvant.load.run.Progress;
import kvant.load.run.RunResult;
import kvant.load.workload.Workload;

/// Loads as in `kvant load`, in the process of the benchmark.
public final class Generator {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private Generator() {}

    /// A load by the name used in `kvant load`, in a closed loop unless [#pace] changes that.
    public static LoadPlan plan(Target target, String workload, long keys, int valueBytes, int connections) {
        Workload named = Workload.named(workload).with(w -> {
            w.keys = keys;
            w.values = ValueSizes.fixed(valueBytes);
        });
        Clients clients = Clients.defaults().withConnections(connections);
        return LoadPlan.of(target, named, clients, Pace.closed(Duration.ofSeconds(1)));
    }

    /// GET of the unmodified URL, as with wrk.
    public static LoadPlan plain(Target target, int connections) {
        Clients clients = Clients.defaults().withConnections(connections);
        return LoadPlan.of(target, Workload.plain("GET"), clients, Pace.closed(Duration.ofSeconds(1)));
    }

    /// @param rate requests per second, 0 for a closed loop
    public static Pace pace(double rate, double warmUpSeconds, double seconds) {
        Pace pace = rate > 0 ? Pace.open(rate, time(seconds)) : Pace.closed(time(seconds));
        return warmUpSeconds > 0 ? pace.with(p -> p.warmup = Warmup.fixed(time(warmUpSeconds))) : pace;
    }

    private static Duration time(double seconds) {
        return Duration.ofNanos((long) (seconds * NANOS_PER_SECOND));
    }

    /// Puts all keys of a load.
    public static void fill(LoadPlan plan) {
        Prefill.run(plan, plan.workload().keys(), new StopSwitch(), Progress.SILENT);
    }

    public static RunResult run(LoadPlan plan) {
        return LoadRun.run(plan, new StopSwitch(), Progress.SILENT);
    }
}
