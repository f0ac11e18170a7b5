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

    /// @param damage the damage that was found; null for a suspected table
    /// @param failures number of failed reads
    /// @param dueNanos time of the next check
    /// @param waits false during a check, and after too many of them
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

    /// The damage of one of them; null when none is known.
    public @Nullable EngineException reason() {
        return reason;
    }

    /// Marks tables of which one could not be read, but it is unknown which: each is checked at once.
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

    /// Releases a table that has been read through without an error.
    public synchronized void readable(long number) {
        entries.remove(number);
        publish();
    }

    /// Returns a table that is due for a check. No other thread gets it until the caller reports the result by
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

    /// Makes a table due again that was not read through after all.
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
