package kvant.load.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.load.loop.LoopGroup;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.workload.RequestSource;
import kvant.text.UserException;

/// Puts keys 0 to N - 1, each until it is acknowledged, in a closed loop.
public final class Prefill {

    /// Minimum number of requests in flight on a connection.
    private static final int DEPTH = 4;

    /// Maximum number of refusals per key before the prefill fails.
    private static final long MOST_FAILURES_PER_KEY = 20;

    private static final long LEAST_FAILURES = 10_000;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_AWAY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Duration LONGEST = Duration.ofHours(24);

    private Prefill() {}

    /// @return duration in seconds
    /// @throws UserException when the server does not accept the keys
    public static double run(LoadPlan plan, long keys, StopSwitch stop, Progress progress) {
        int depth = Math.max(DEPTH, plan.clients().depth());
        Clients clients = plan.clients().with(c -> c.depth = depth);
        LoadPlan fill = plan.with(p -> {
            p.clients = clients;
            p.pace = Pace.closed(LONGEST);
            p.firstInsert = 0;
            p.verify = false;
            p.slowShare = 0;
        });
        List<Puts> fills = new ArrayList<>();
        for (int thread = 0; thread < clients.threads(); thread++) {
            fills.add(new Puts(fill, keys, thread));
        }
        LoopGroup group = LoopGroup.connect(fill, stop, fills::get);
        long start = group.start();
        watch(group, fills, keys, start, stop, progress);
        group.awaitEnd();
        return (System.nanoTime() - start) / 1e9;
    }

    private static void watch(
            LoopGroup group, List<Puts> fills, long keys, long start, StopSwitch stop, Progress progress) {
        while (!group.isFinished()) {
            stop.sleep(LOOK_NANOS);
            long done = fills.stream().mapToLong(puts -> puts.done).sum();
            long failures = fills.stream().mapToLong(puts -> puts.failures).sum();
            progress.filled(done, keys, (System.nanoTime() - start) / 1e9);
            if (stop.isStopped()) {
                abandon(group, "stopped while filling, after " + done + " of " + keys + " keys");
            }
            if (group.awayNanos() > LONGEST_AWAY_NANOS) {
                abandon(group, "the server is gone after " + done + " of " + keys + " keys: " + group.lastTrouble());
            }
            if (failures > LEAST_FAILURES + MOST_FAILURES_PER_KEY * keys) {
                abandon(
                        group,
                        "the server refuses to be filled: " + done + " of " + keys + " keys after " + failures
                                + " refusals; try curl -X PUT on one key");
            }
        }
    }

    private static void abandon(LoopGroup group, String why) {
        group.cancel();
        group.awaitEnd();
        throw new UserException(why);
    }

    /// The requests of a prefill: puts of the keys of one thread, each repeated until it is acknowledged.
    ///
    /// Owned by its loop; `done` may be read by another thread.
    private static final class Puts extends RequestSource {

        // Constant.
        private final long keys;
        private final int threads;

        // Owned by the loop.
        private final long[] again;
        private int agains;
        private long next;
        private long out;

        // Volatile.
        private volatile long done;
        private volatile long failures;

        Puts(LoadPlan plan, long keys, int thread) {
            super(plan.workload(), plan.encoder(), 0, thread, plan.clients().threads(), plan.seed());
            this.again =
                    new long[plan.clients().connections() * plan.clients().depth()]; // maximum that can fail at once
            this.keys = keys;
            this.threads = plan.clients().threads();
            this.next = thread;
        }

        @Override
        public boolean draw() {
            if (agains > 0) {
                drawPut(again[--agains]);
            } else if (next < keys) {
                drawPut(next);
                next += threads;
            } else {
                return false;
            }
            out++;
            return true;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // single writer
        public void settled(boolean wasNew, long key, boolean good) {
            out--;
            if (good) {
                done = done + 1;
            } else {
                failures = failures + 1;
                again[agains++] = key;
            }
        }

        @Override
        public boolean isExhausted() {
            return next >= keys && agains == 0 && out == 0;
        }
    }
}
