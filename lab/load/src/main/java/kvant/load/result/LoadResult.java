package kvant.load.result;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import kvant.load.host.HostFacts;
import kvant.load.plan.Pace;
import kvant.load.record.Failure;
import kvant.load.record.PhaseTotals;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.record.Window;
import kvant.load.result.RecordJson.LeftOut;
import kvant.load.result.RecordJson.Unwrapped;
import kvant.load.run.RunResult;
import kvant.load.run.Validity;
import kvant.load.workload.Operation;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// The result of a run: the common model for writing a result, comparing two, and reporting on many. Its components are
/// the members of the file, in the schema of docs/load.md. All times are in nanoseconds, as the names say.
///
/// @param startedAt wall clock at the start of the measured time, ISO 8601
/// @param partial reason for an unplanned end of the run, or empty
/// @param achievedRate answers per second
/// @param host activity of the generator's machine in the measured time
/// @param statuses number of answers for each status code; only those above 0
/// @param operations response times by operation, if recorded
/// @param windowColumns columns of a row of `windows`; [#typedWindows()] has them by name
/// @param blocks histograms of successive stretches of the run, encoded as in [Distribution]
public record LoadResult(
        @Unwrapped Asked asked,
        String startedAt,
        long elapsedNanos,
        boolean complete,
        String partial,
        Validity.Grade validity,
        String validityReason,
        double achievedRate,
        Warmup warmup,
        Generator generator,
        HostFacts host,
        Requests requests,
        Map<Integer, Long> statuses,
        Connections connections,
        Keys keys,
        Latency latency,
        Map<Operation, Distribution> operations,
        List<String> windowColumns,
        List<List<Double>> windows,
        List<String> blocks) {

    /// The warm-up, which is excluded from the figures.
    ///
    /// @param mode `none`, `auto` or `fixed`
    /// @param stable false if windows still differed, or most requests were not answered
    public record Warmup(String mode, double seconds, boolean stable, long requests, long answered, long errors) {

        /// True if it ended before successive windows agreed.
        public boolean isUnstable() {
            return !mode.equals("none") && !stable;
        }
    }

    /// @param busiestThread share of time in which the busiest thread ran, or waited for a core
    public record Generator(long cpuNanos, long requestsWithWarmup, double busiestThread) {}

    /// `due = sent + unsent`, `sent = answered + failed`.
    ///
    /// @param errors requests without the wanted result, for any reason
    public record Requests(
            long due,
            long sent,
            long unsent,
            long answered,
            long followUps,
            Map<Failure, Long> failed,
            long unexpectedStatus,
            long wrongBodies,
            long errors) {

        static Requests of(RequestCounts counts) {
            Map<Failure, Long> failed = new EnumMap<>(Failure.class);
            for (Failure failure : Failure.values()) {
                failed.put(failure, counts.failedCount(failure));
            }
            return new Requests(
                    counts.due(),
                    counts.of(Count.SENT),
                    counts.of(Count.UNSENT),
                    counts.of(Count.ANSWERED),
                    counts.of(Count.FOLLOW_UPS),
                    failed,
                    counts.of(Count.UNEXPECTED),
                    counts.of(Count.WRONG_BODIES),
                    counts.errors());
        }
    }

    /// @param strays connections that were given up because they sent bytes without a request
    /// @param address which one of the server was measured; empty in a file from before it was written
    public record Connections(
            long reconnects,
            long refused,
            long strays,
            String lastTrouble,
            String address,
            long bytesIn,
            long bytesOut) {}

    /// @param distinctAsked number of different existing keys requested, -1 if not counted
    public record Keys(long distinctAsked, long inserted) {}

    /// Response times count from when a request was due, service times from when it was sent. A closed loop has no
    /// schedule, and therefore no `service`, `sendLag`, `acceptedService` or `punctual`.
    ///
    /// @param punctual response times without the generator's lateness
    public record Latency(
            Distribution response,
            @LeftOut @Nullable Distribution punctual,
            @LeftOut @Nullable Distribution service,
            @LeftOut @Nullable Distribution sendLag,
            @LeftOut @Nullable Distribution acceptedService,
            Distribution errors,
            Distribution acceptedResponse,
            Distribution refusedService) {

        static Latency of(PhaseTotals totals, boolean closed) {
            return new Latency(
                    Distribution.of(totals.response()),
                    closed ? null : Distribution.of(totals.punctual()),
                    closed ? null : Distribution.of(totals.service()),
                    closed ? null : Distribution.of(totals.lag()),
                    closed ? null : Distribution.of(totals.acceptedService()),
                    Distribution.of(totals.errors()),
                    Distribution.of(totals.acceptedResponse()),
                    Distribution.of(totals.refused()));
        }
    }

    public static LoadResult of(RunResult run) {
        Map<Operation, Distribution> operations = new EnumMap<>(Operation.class);
        for (Operation operation : run.usedOperations()) {
            operations.put(operation, Distribution.of(run.totals().operation(operation)));
        }
        RequestCounts counts = run.counts();
        RequestCounts warmup = run.warmup().counts();
        Validity validity = run.validity();
        return new LoadResult(
                Asked.of(run.plan()),
                run.startedAt().toString(),
                run.elapsedNanos(),
                !run.isPartial(),
                run.partial(),
                validity.grade(),
                validity.why(),
                run.achievedRate(),
                warmup(run),
                new Generator(run.cpuNanos(), run.sentWithWarmup(), run.busy()),
                run.host(),
                Requests.of(counts),
                counts.statuses(),
                new Connections(
                        run.reconnects(),
                        run.refusedConnects(),
                        run.strays(),
                        run.lastTrouble(),
                        run.address(),
                        counts.of(Count.BYTES_IN) + warmup.of(Count.BYTES_IN),
                        counts.of(Count.BYTES_OUT) + warmup.of(Count.BYTES_OUT)),
                new Keys(run.distinctKeys(), run.insertedKeys()),
                Latency.of(run.totals(), run.plan().pace().isClosed()),
                operations,
                Window.COLUMNS,
                run.totals().windows().stream().map(Window::row).toList(),
                run.totals().blocks().stream().map(Distribution::encoded).toList());
    }

    private static Warmup warmup(RunResult run) {
        Pace pace = run.plan().pace();
        RunResult.WarmupResult found = run.warmup();
        String mode = pace.warmup().isNone() ? "none" : pace.warmup().auto() ? "auto" : "fixed";
        RequestCounts counts = found.counts();
        return new Warmup(
                mode, found.seconds(), found.isStable(), counts.due(), counts.of(Count.ANSWERED), counts.errors());
    }

    /// Files older than `complete` have only the reason.
    public boolean isComplete() {
        return partial.isEmpty();
    }

    public List<Window> typedWindows() {
        return Window.of(windowColumns, windows);
    }

    /// Histograms of successive stretches of the run, for estimating the uncertainty within it.
    ///
    /// @throws kvant.text.UserException when one cannot be decoded
    public List<Histogram> decodedBlocks() {
        List<Histogram> decoded = new ArrayList<>();
        blocks.forEach(block -> decoded.add(Distribution.decoded(block)));
        return decoded;
    }
}
