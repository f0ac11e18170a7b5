package kvant.server.service;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import kvant.engine.Distribution;
import kvant.engine.MetricSink;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// The durations of one event loop's requests, stage by stage, and counts of their results.
///
/// The loop records; any thread may read.
public final class RequestFigures {

    private enum Operation {
        GET,
        PUT,
        DELETE,
        BATCH,
        RANGE,
        CHANGES,
        OTHER
    }

    private enum Result {
        OK,
        /// Absent, not modified, or its condition did not hold.
        MISS,
        /// 503.
        REFUSED,
        FAILED
    }

    /// The stages of a request, from the bytes read to the bytes written.
    private enum Stage {
        /// Read from the socket, until it was handed to the executor.
        READ,
        /// Until a thread began with it; only for requests handed to another thread.
        QUEUE,
        /// Until the engine had answered a read.
        ENGINE,
        /// Until the engine had committed a write.
        COMMIT,
        /// Until it was back on its event loop; only for requests that had left it.
        DELIVER,
        /// Until its answer was handed to the kernel, or as much of it as the kernel took.
        WRITE,
        /// All of it.
        TOTAL
    }

    private static final double SECONDS_PER_NANO = 1e-9;
    private static final Stage[] STAGES = Stage.values();
    private static final Operation[] OPERATIONS = Operation.values();
    private static final Result[] RESULTS = Result.values();
    private static final String[] OPERATION_NAMES = names(OPERATIONS);
    private static final String[] RESULT_NAMES = names(RESULTS);

    private final Distribution[] stages = new Distribution[OPERATIONS.length * STAGES.length];
    private final AtomicLongArray counts = new AtomicLongArray(OPERATIONS.length * RESULTS.length);
    final SlowLog slow = new SlowLog();

    private final @Nullable SlowFeed feed;

    /// @param feed gets each slow one, or null
    RequestFigures(@Nullable SlowFeed feed) {
        this.feed = feed;
        for (int i = 0; i < stages.length; i++) {
            stages[i] = new Distribution(SECONDS_PER_NANO);
        }
    }

    /// Loop only: all of an answer has been written.
    ///
    /// @param outcome the last one of its rounds
    public void written(Call call, Outcome outcome, long nowNanos) {
        Request request = call.request();
        Operation operation = operationOf(request);
        Result result = resultOf(outcome);
        count(operation, result);
        if (operation == Operation.CHANGES) { // which takes as long as its client wishes
            return;
        }
        RequestEvent event = call.event;
        if (event != null) {
            event.end(call, OPERATION_NAMES[operation.ordinal()], RESULT_NAMES[result.ordinal()], nowNanos);
        }
        boolean write = operation == Operation.PUT || operation == Operation.DELETE || operation == Operation.BATCH;
        record(operation, Stage.READ, call.queuedNanos() - call.readNanos());
        if (call.startedNanos() != call.queuedNanos()) {
            record(operation, Stage.QUEUE, call.startedNanos() - call.queuedNanos());
        }
        record(operation, write ? Stage.COMMIT : Stage.ENGINE, call.doneNanos() - call.startedNanos());
        if (call.settledNanos() != call.doneNanos()) {
            record(operation, Stage.DELIVER, call.settledNanos() - call.doneNanos());
        }
        record(operation, Stage.WRITE, nowNanos - call.settledNanos());
        long total = nowNanos - call.readNanos();
        record(operation, Stage.TOTAL, total);
        SlowFeed wanting = feed != null && feed.wants(total, call.trace()) ? feed : null;
        boolean kept = slow.isSlow(total, nowNanos);
        if (kept || wanting != null) {
            SlowRequest one = SlowRequest.of(call, name(operation), name(result), nowNanos);
            if (kept) {
                slow.keep(one);
            }
            if (wanting != null) {
                wanting.put(one);
            }
        }
    }

    /// Loop only: counts a request that was answered 503 before it came to the service.
    public void refusedAtOnce() {
        count(Operation.OTHER, Result.REFUSED);
    }

    private void count(Operation operation, Result result) {
        int index = operation.ordinal() * RESULTS.length + result.ordinal();
        counts.lazySet(index, counts.getPlain(index) + 1);
    }

    /// Whether a request for data was answered. Any thread may call.
    boolean haveServed() {
        for (int i = 0; i < Operation.OTHER.ordinal() * RESULTS.length; i++) {
            if (counts.get(i) > 0) {
                return true;
            }
        }
        return false;
    }

    /// Writes the sum of the figures of all loops.
    static void measure(Iterable<RequestFigures> loops, MetricSink sink) {
        for (Operation operation : OPERATIONS) {
            for (Stage stage : STAGES) {
                measure(loops, operation, stage, sink);
            }
            for (Result result : RESULTS) {
                long count = 0;
                for (RequestFigures loop : loops) {
                    count += loop.counts.get(operation.ordinal() * RESULTS.length + result.ordinal());
                }
                String[] labels = {"operation", name(operation), "result", name(result)};
                sink.counter("kvant_requests_total", "Requests that were answered.", count, labels);
            }
        }
    }

    /// The total of each operation is always present, each of its stages only after its first use: most operations
    /// have few.
    private static void measure(Iterable<RequestFigures> loops, Operation operation, Stage stage, MetricSink sink) {
        Distribution sum = new Distribution(SECONDS_PER_NANO);
        for (RequestFigures loop : loops) {
            sum.add(loop.stages[index(operation, stage)]);
        }
        if (stage == Stage.TOTAL || sum.count() > 0) {
            String help = "Time of requests in each stage, from the bytes read to the bytes written.";
            String[] labels = {"operation", name(operation), "stage", name(stage)};
            sink.histogram("kvant_request_stage_seconds", help, sum, labels);
        }
    }

    private void record(Operation operation, Stage stage, long nanos) {
        stages[index(operation, stage)].record(nanos);
    }

    private static int index(Operation operation, Stage stage) {
        return operation.ordinal() * STAGES.length + stage.ordinal();
    }

    private static Operation operationOf(@Nullable Request request) {
        return switch (request) {
            case Request.Get _, Request.Record _, Request.Entries _ -> Operation.GET;
            case Request.Put _ -> Operation.PUT;
            case Request.Delete _ -> Operation.DELETE;
            case Request.Update update ->
                update.isPut() ? Operation.PUT : update.isDelete() ? Operation.DELETE : Operation.BATCH;
            case Request.Batch _ -> Operation.BATCH;
            case Request.Scan _ -> Operation.RANGE;
            case Request.Changes _ -> Operation.CHANGES;
            case null, default -> Operation.OTHER;
        };
    }

    private static Result resultOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Failed failed ->
                switch (failed.kind()) {
                    case OVERLOADED, DEADLINE_PASSED, ENGINE_BUSY -> Result.REFUSED;
                    default -> Result.FAILED;
                };
            case Outcome.Plain.ABSENT, Outcome.Plain.PRECONDITION_FAILED -> Result.MISS;
            case Outcome.NotModified _, Outcome.Unsatisfiable _ -> Result.MISS;
            case Outcome.Records records -> records.batch().failure() == null ? Result.OK : Result.FAILED;
            default -> Result.OK;
        };
    }

    private static String[] names(Enum<?>[] constants) {
        return Arrays.stream(constants).map(RequestFigures::name).toArray(String[]::new);
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /// The slowest requests of each of the last minutes, of one event loop.
    ///
    /// The loop writes; other threads read. Bounded in requests per minute and in minutes.
    static final class SlowLog {

        static final int PER_MINUTE = 10;
        static final int MINUTES = 10;
        private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
        private static final Comparator<SlowRequest> SLOWEST_LAST = Comparator.comparingLong(SlowRequest::totalNanos);

        // Owned by the loop.
        private long minuteEndsNanos = System.nanoTime() + MINUTE_NANOS;
        private long leastNanos;

        // Guarded by this.
        private final ArrayDeque<List<SlowRequest>> minutes = new ArrayDeque<>();

        SlowLog() {
            minutes.add(new ArrayList<>());
        }

        /// Loop only: whether a request of this length belongs here.
        boolean isSlow(long totalNanos, long nowNanos) {
            if (nowNanos - minuteEndsNanos >= 0) {
                turnPage(nowNanos);
            }
            return totalNanos > leastNanos;
        }

        /// Loop only.
        synchronized void keep(SlowRequest request) {
            List<SlowRequest> minute = minutes.getLast();
            minute.add(request);
            minute.sort(SLOWEST_LAST);
            if (minute.size() > PER_MINUTE) {
                minute.removeFirst();
            }
            if (minute.size() == PER_MINUTE) {
                leastNanos = minute.getFirst().totalNanos();
            }
        }

        synchronized List<SlowRequest> all() {
            List<SlowRequest> all = new ArrayList<>();
            minutes.forEach(all::addAll);
            return all;
        }

        private synchronized void turnPage(long nowNanos) {
            minuteEndsNanos = nowNanos + MINUTE_NANOS;
            leastNanos = 0;
            minutes.add(new ArrayList<>());
            if (minutes.size() > MINUTES) {
                minutes.removeFirst();
            }
        }
    }
}
