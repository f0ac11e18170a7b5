package kvant.lsm.store;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// Tables that merges leave alone, because reading one of them has failed. Each is read through again by itself after a
/// while, in case the fault was one of the device and has passed: after a second, then after twice as long each time,
/// [#MAX_CHECKS] times, and then not before the next start. One that can be read takes part in merges again.
///
///     ordinary --failed--> waiting --due--> being read through --failed--> waiting, or for good
///                                                              --readable--> ordinary
///
/// Any thread may look; the compaction threads change it.
public final class Quarantine {

    /// About a quarter of an hour in all.
    static final int MAX_CHECKS = 10;

    private static final long FIRST_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

    /// @param damage what was found; null for one that is only suspected
    /// @param failures how often
    /// @param dueNanos when it is to be read through
    /// @param waits false while it is being read through, and when that has been done too often
    private record Entry(@Nullable EngineException damage, int failures, long dueNanos, boolean waits) {}

    // Constant.
    private final LongSupplier nanoClock;

    // Guarded by this.
    private final Map<Long, Entry> entries = new HashMap<>();

    // Written under the lock, read by anyone.
    private volatile Set<Long> tables = Set.of();
    private volatile @Nullable EngineException reason;

    public Quarantine() {
        this(System::nanoTime);
    }

    Quarantine(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /// Numbers of the tables that no merge may have.
    public Set<Long> tables() {
        return tables;
    }

    /// What is wrong with one of them; null when nothing is known to be.
    public @Nullable EngineException reason() {
        return reason;
    }

    /// One of these tables could not be read, and nobody knows which: each is read through at once.
    public synchronized void suspect(List<Long> numbers) {
        numbers.forEach(number -> entries.putIfAbsent(number, new Entry(null, 0, nanoClock.getAsLong(), true)));
        publish();
    }

    /// A table could not be read.
    public synchronized void failed(long number, EngineException damage) {
        Entry before = entries.get(number);
        int failures = before == null ? 1 : before.failures() + 1;
        long waitNanos = FIRST_WAIT_NANOS << Math.min(failures - 1, MAX_CHECKS);
        entries.put(number, new Entry(damage, failures, nanoClock.getAsLong() + waitNanos, failures <= MAX_CHECKS));
        publish();
    }

    /// A table has been read through, and nothing was wrong.
    public synchronized void readable(long number) {
        entries.remove(number);
        publish();
    }

    /// A table that is to be read through now, which no other thread gets until it has been: the caller tells of it by
    /// [#failed] or [#readable].
    public synchronized @Nullable Long takeDue() {
        if (entries.isEmpty()) {
            return null;
        }
        long nowNanos = nanoClock.getAsLong();
        for (Map.Entry<Long, Entry> each : entries.entrySet()) {
            Entry entry = each.getValue();
            if (entry.waits() && nowNanos - entry.dueNanos() >= 0) {
                each.setValue(new Entry(entry.damage(), entry.failures(), entry.dueNanos(), false));
                return each.getKey();
            }
        }
        return null;
    }

    /// A table was not read through after all.
    public synchronized void putBack(long number) {
        entries.computeIfPresent(
                number, (_, entry) -> new Entry(entry.damage(), entry.failures(), entry.dueNanos(), true));
    }

    private void publish() {
        tables = Set.copyOf(entries.keySet());
        reason = entries.values().stream()
                .map(Entry::damage)
                .filter(damage -> damage != null)
                .findFirst()
                .orElse(null);
    }
}
