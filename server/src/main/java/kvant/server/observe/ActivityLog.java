package kvant.server.observe;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import kvant.engine.ActivitySink;
import org.jspecify.annotations.Nullable;

/// A bounded log of the process' recent background activities: garbage collections, the engine's activities, and time
/// taken by the host.
///
/// Any thread may call. The oldest entry is dropped first.
public final class ActivityLog implements ActivitySink, AutoCloseable {

    static final int MOST = 1024;

    /// An activity of the process besides answering.
    ///
    /// @param kind such as `flush` or `gc: G1 Young Generation`
    /// @param endNanos [Long#MAX_VALUE] while it runs
    record Activity(long id, String kind, long beginNanos, long endNanos) {

        static final long RUNNING = Long.MAX_VALUE;

        boolean overlaps(long fromNanos, long toNanos) {
            return beginNanos - toNanos <= 0 && (endNanos == RUNNING || endNanos - fromNanos >= 0);
        }

        /// The part of the period that the activity took.
        long overlapNanos(long fromNanos, long toNanos) {
            long begin = Math.max(beginNanos, fromNanos);
            long end = endNanos == RUNNING ? toNanos : Math.min(endNanos, toNanos);
            return Math.max(0, end - begin);
        }
    }

    // Constant.
    private final NotificationListener listener = this::collected;

    // Guarded by this.
    private final ArrayDeque<Activity> activities = new ArrayDeque<>();
    private long ids;

    // Owned by the caller of [#started].
    private @Nullable SafepointWatch safepoints;
    private @Nullable StolenTimeWatch stolen;

    private ActivityLog() {}

    /// A log that records collections until it is closed.
    ///
    /// @param withSafepoints whether it also records safepoints
    public static ActivityLog started(boolean withSafepoints) {
        ActivityLog log = new ActivityLog();
        log.safepoints = withSafepoints ? SafepointWatch.started(log) : null;
        log.stolen = StolenTimeWatch.started(log);
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(log.listener, null, null);
            }
        }
        return log;
    }

    @Override
    public synchronized long began(String kind) {
        add(new Activity(++ids, kind, System.nanoTime(), Activity.RUNNING));
        return ids;
    }

    @Override
    public synchronized void ended(long id) {
        long nowNanos = System.nanoTime();
        List<Activity> all = List.copyOf(activities);
        activities.clear();
        for (Activity each : all) {
            activities.add(each.id() == id ? new Activity(id, each.kind(), each.beginNanos(), nowNanos) : each);
        }
    }

    @Override
    public synchronized void during(String kind, long beginNanos, long endNanos) {
        add(new Activity(++ids, kind, beginNanos, endNanos));
    }

    /// The activities that overlap the period.
    synchronized List<Activity> between(long fromNanos, long toNanos) {
        List<Activity> found = new ArrayList<>();
        for (Activity each : activities) {
            if (each.overlaps(fromNanos, toNanos)) {
                found.add(each);
            }
        }
        return found;
    }

    @Override
    public void close() {
        if (safepoints != null) {
            safepoints.close();
        }
        if (stolen != null) {
            stolen.close();
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                try {
                    emitter.removeNotificationListener(listener);
                } catch (ListenerNotFoundException _) {
                    // a collector that came later
                }
            }
        }
    }

    private void add(Activity activity) {
        activities.add(activity);
        if (activities.size() > MOST) {
            activities.removeFirst();
        }
    }

    private void collected(Notification notification, Object handback) {
        if (!notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            return;
        }
        GarbageCollectionNotificationInfo info =
                GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
        GcInfo collection = info.getGcInfo();
        long uptimeMillis = ManagementFactory.getRuntimeMXBean().getUptime();
        long nowNanos = System.nanoTime();
        during(
                "gc: " + info.getGcName(),
                nowNanos - TimeUnit.MILLISECONDS.toNanos(uptimeMillis - collection.getStartTime()),
                nowNanos - TimeUnit.MILLISECONDS.toNanos(uptimeMillis - collection.getEndTime()));
    }

    /// A watch that reports to an [ActivityLog] when the JVM had stopped all threads, and for which operation:
    /// collections, and all others that need a safepoint.
    ///
    /// The source is the JVM's own flight recorder, which hands its events over about once a second. With this one
    /// event the recorder costs no measurable time, but some tens of megabytes of memory: that is why it is not on
    /// by default.
    static final class SafepointWatch implements AutoCloseable {

        private static final String EVENT = "jdk.ExecuteVMOperation";
        private static final Duration SHORTEST = Duration.ofMillis(1);
        private static final Duration KEPT = Duration.ofSeconds(10);
        private static final long KEPT_BYTES = 4 << 20;

        private final ActivityLog log;
        private final RecordingStream stream = new RecordingStream();

        private SafepointWatch(ActivityLog log) {
            this.log = log;
        }

        /// A watch that runs until it is closed.
        static SafepointWatch started(ActivityLog log) {
            SafepointWatch watch = new SafepointWatch(log);
            watch.stream.setMaxAge(KEPT);
            watch.stream.setMaxSize(KEPT_BYTES);
            watch.stream.enable(EVENT).withThreshold(SHORTEST).withoutStackTrace();
            watch.stream.onEvent(EVENT, watch::executed);
            watch.stream.startAsync();
            return watch;
        }

        @Override
        public void close() {
            stream.close();
        }

        private void executed(RecordedEvent event) {
            if (event.getBoolean("safepoint")) {
                log.during(
                        "safepoint: " + event.getString("operation"),
                        nanosOf(event.getStartTime()),
                        nanosOf(event.getEndTime()));
            }
        }

        /// The nano time of a moment of the past.
        private static long nanosOf(Instant moment) {
            return System.nanoTime() - Duration.between(moment, Instant.now()).toNanos();
        }
    }

    /// A watch that reports to an [ActivitySink] when the hypervisor gave the processors of this machine to another
    /// guest ("steal" in proc_stat(5)): nothing in the process shows why it stood still then.
    ///
    /// Reads one line ten times a second. Where there is no such file, it reports nothing.
    static final class StolenTimeWatch implements AutoCloseable {

        private static final Path STAT = Path.of("/proc/stat");
        private static final long PERIOD_MILLIS = 100;

        /// Least reported share: neighbours take less all day, which would push other activities out of the log.
        private static final double LEAST_SHARE = 0.2;

        /// Columns of the line `cpu` that add up to all time; the two of guests are contained in others.
        private static final int TIMES = 8;

        private static final int STEAL = 7;

        // Constant.
        private final ActivitySink log;
        private final Path stat;
        private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("kvant-stolen-time").daemon().factory());

        // Owned by the thread.
        private long allBefore;
        private long stolenBefore;
        private long nanosBefore;

        StolenTimeWatch(ActivitySink log, Path stat) {
            this.log = log;
            this.stat = stat;
        }

        /// A watch that runs until it is closed.
        static StolenTimeWatch started(ActivitySink log) {
            StolenTimeWatch watch = new StolenTimeWatch(log, STAT);
            if (Files.isReadable(STAT)) {
                watch.thread.scheduleAtFixedRate(watch::tryLook, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            }
            return watch;
        }

        private void tryLook() {
            try {
                look(System.nanoTime());
            } catch (IOException | RuntimeException _) {
                thread.shutdown(); // it will not be readable the next time either
            }
        }

        /// Compares with the last look.
        void look(long nowNanos) throws IOException {
            String line;
            try (var lines = Files.newBufferedReader(stat, StandardCharsets.US_ASCII)) {
                line = String.valueOf(lines.readLine());
            }
            String[] columns = line.split(" +");
            long all = 0;
            for (int i = 1; i <= TIMES; i++) {
                all += Long.parseLong(columns[i]);
            }
            long stolen = Long.parseLong(columns[STEAL + 1]);
            double share = (double) (stolen - stolenBefore) / Math.max(1, all - allBefore);
            if (allBefore > 0 && share >= LEAST_SHARE) {
                log.during(
                        String.format(Locale.ROOT, "stolen by the host: %.0f %%", 100 * share), nanosBefore, nowNanos);
            }
            allBefore = all;
            stolenBefore = stolen;
            nanosBefore = nowNanos;
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }
}
