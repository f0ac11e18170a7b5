package kvant.prove.journal;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import kvant.client.ClientOptions;
import kvant.client.Key;
import kvant.client.KvantClient;
import kvant.client.RangeCursor;
import kvant.client.RangeQuery;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Violation;

/// Compares each key of a journal with the store, while nothing writes.
public final class Check {

    /// By which the clock of a node may be behind that of the journal: both are read in milliseconds.
    static final long CLOCK_STEP_MILLIS = 1_000;

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final Journal journal;
    private final KvantClient client;
    private final Figures figures;

    /// By open batch: whether a key of it showed it applied.
    private final Map<Long, Boolean> batches = new HashMap<>();

    public Check(Journal journal, URI node, Figures figures) {
        this.journal = journal;
        this.client = KvantClient.of(ClientOptions.of(node).with(options -> options.deadline = DEADLINE));
        this.figures = figures;
    }

    /// Each key, by `get` and by a range over all: the last write acknowledged, or an open one that followed it, whole.
    /// The journal then takes the observed values as the state of its keys.
    ///
    /// @throws Violation at the first key that has something else
    public void all() throws Violation {
        for (Entry entry : journal.entries) {
            State.Observed read = State.Observed.read(client, entry.key);
            int seen = entry.seen(read, false);
            batchIsWhole(entry, read, seen);
            settle(entry, entry.state(seen), read);
        }
        range();
    }

    private void settle(Entry entry, State state, State.Observed read) {
        figures.add("writes checked", entry.writes.size());
        if (entry.frozen) {
            figures.add("open outcomes", 1);
        }
        figures.add("keys read", 1);
        journal.newest.accumulateAndGet(read.version(), Math::max);
        entry.before = read.isAbsent() ? State.ABSENT : state.withVersion(read.version());
        entry.writes.clear();
        entry.frozen = false;
    }

    /// An open batch is there with all of its keys or with none. A key that has the same before and after says nothing.
    private void batchIsWhole(Entry entry, State.Observed read, int seen) throws Violation {
        if (!entry.frozen || entry.writes.getLast().batch() == 0) {
            return;
        }
        long batch = entry.writes.getLast().batch();
        boolean applied = seen == entry.writes.size() - 1;
        State without = entry.state(entry.writes.size() - 2);
        if (applied && without.matches(read)) {
            return;
        }
        Boolean other = batches.putIfAbsent(batch, applied);
        if (other != null && other != applied) {
            throw new Violation("batch " + batch + " is there by half: key " + entry.key.text() + " has "
                    + (applied ? "what it wrote" : "not what it wrote") + ", another key of it differs");
        }
    }

    /// The range agrees with the gets: each key once, in order, and no other.
    private void range() throws Violation {
        Map<Key, Entry> expected = new HashMap<>();
        journal.entries.stream()
                .filter(entry -> !entry.before.isAbsent())
                .forEach(entry -> expected.put(entry.key, entry));
        try (RangeCursor cursor = client.range(RangeQuery.from(Key.of("w")))) {
            while (cursor.next()) {
                Entry entry = expected.remove(cursor.key());
                if (entry == null) {
                    throw new Violation("the range has key " + cursor.key().text() + ", which get says is absent or the"
                            + " range had before");
                }
                if (!Arrays.equals(entry.before.bytes(), cursor.value())) {
                    throw new Violation("the range has another value of key " + entry.key.text() + " than get");
                }
            }
        }
        long now = System.currentTimeMillis();
        for (Entry entry : expected.values()) {
            if (now < entry.before.expiresFrom()) {
                throw new Violation("the range lacks key " + entry.key.text() + ", which get says is there");
            }
        }
    }

    /// After a power cut without a sync for each write, where each write was a put: the remaining writes are a
    /// prefix by version, so that the last one left is before the first lost one.
    ///
    /// @param cutNanos when the power was cut
    /// @return for how many milliseconds before the cut acknowledged writes are lost, 0 where none is
    public long prefix(long cutNanos) throws Violation {
        NavigableMap<Long, String> left = new TreeMap<>(); // keys by versions
        NavigableMap<Long, String> lost = new TreeMap<>();
        long oldestLost = cutNanos;
        for (Entry entry : journal.entries) {
            State.Observed read = State.Observed.read(client, entry.key);
            int seen = entry.seen(read, true);
            left.put(read.version(), entry.key.text());
            for (Entry.Write write : entry.writes.subList(seen + 1, entry.writes.size())) {
                if (!write.open()) {
                    figures.add("acknowledged and lost", 1);
                    oldestLost = Math.min(oldestLost, write.ackNanos());
                    lost.put(write.state().version(), entry.key.text());
                }
            }
            settle(entry, entry.state(seen), read);
        }
        if (!lost.isEmpty() && lost.firstKey() < left.lastKey()) {
            throw new Violation("a hole: version " + lost.firstKey() + " of key " + lost.get(lost.firstKey())
                    + " is lost, and version " + left.lastKey() + " of key " + left.get(left.lastKey()) + " is there");
        }
        journal.newest.set(left.lastKey()); // versions that are lost are given again
        range();
        return (cutNanos - oldestLost) / 1_000_000;
    }
}
