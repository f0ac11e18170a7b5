package kvant.server.observe;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import kvant.engine.ActivitySink;
import org.jspecify.annotations.Nullable;

/// What happened lately besides answering: collections of garbage, what the engine tells, and what the host took.
///
/// Any thread may call. Bounded: the oldest is forgotten.
public final class ActivityLog implements ActivitySink, AutoCloseable {

    static final int MOST = 1024;

    /// Something that the process did besides answering.
    ///
    /// @param kind such as `flush` or `gc: G1 Young Generation`
    /// @param endNanos [Long#MAX_VALUE] while it goes on
    record Activity(long id, String kind, long beginNanos, long endNanos) {

        static final long RUNNING = Long.MAX_VALUE;

        boolean overlaps(long fromNanos, long toNanos) {
            return beginNanos - toNanos <= 0 && (endNanos == RUNNING || endNanos - fromNanos >= 0);
        }

        /// How much of the time between the two it took.
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

    // Owned by whoever started it.
    private @Nullable SafepointWatch safepoints;
    private @Nullable StolenTimeWatch stolen;

    private ActivityLog() {}

    /// A log that hears of collections until it is closed.
    ///
    /// @param withSafepoints whether it also hears of safepoints
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

    /// What went on at some moment between the two.
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
}
