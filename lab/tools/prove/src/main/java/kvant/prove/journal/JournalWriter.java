package kvant.prove.journal;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import kvant.client.Batch;
import kvant.client.ClientOptions;
import kvant.client.Condition;
import kvant.client.KvantClient;
import kvant.client.KvantException;
import kvant.client.PutOptions;
import kvant.client.Version;
import kvant.prove.stage.Violation;

/// One client of a journal, one call at a time, over keys of its own: puts, deletes, batches, conditions that hold and
/// that do not, times to live, and gets of what it wrote.
final class JournalWriter {

    private static final int MOST_OF_BATCH = 12;
    private static final int MOST_OPEN = 8;
    private static final long BACK_OFF_MILLIS = 5;

    private final Journal journal;
    private final KvantClient client;
    private final int number;
    private final Random random;
    private final List<Entry> own = new ArrayList<>();
    final Thread thread =
            Thread.ofPlatform().daemon().name("kvant-prove-writer").unstarted(this::run);

    volatile boolean stopped;

    /// Of the thread of the writer.
    private int openOutcomes;

    JournalWriter(Journal journal, URI node, int number) {
        this.journal = journal;
        this.number = number;
        this.random = journal.stage.random(number);
        this.client = KvantClient.of(ClientOptions.of(node).with(options -> {
            options.deadline = Duration.ofMillis(Habits.DEADLINE_MILLIS);
            options.tries = journal.habits.tries();
            options.firstBackoff = Duration.ofMillis(BACK_OFF_MILLIS);
        }));
        for (int i = number; i < journal.entries.size(); i += journal.habits.writers()) {
            own.add(journal.entries.get(i));
        }
    }

    private void run() {
        try {
            // A node that is gone leaves one open outcome, and refuses further connections.
            while (!stopped && openOutcomes < MOST_OPEN) {
                step(own.get(random.nextInt(own.size())));
                if (journal.habits.pauseMillis() > 0) {
                    Thread.sleep(journal.habits.pauseMillis());
                }
            }
        } catch (Violation e) {
            journal.violation.compareAndSet(null, e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            Violation unexpected = new Violation("writer " + number + " got what no client should get: " + e);
            journal.violation.compareAndSet(null, unexpected);
        }
    }

    private void step(Entry entry) throws Violation, InterruptedException {
        State has = entry.certain();
        // A condition is on a key whose state is known for certain, which a time to live is not.
        boolean known = !has.expires() && (has.isAbsent() || has.version() != 0);
        int kind = journal.habits.putsAlone() ? Integer.MAX_VALUE : random.nextInt(12);
        if (entry.frozen) {
            return;
        } else if (kind == 0) {
            send("delete", Map.of(entry, State.ABSENT), true, () -> {
                client.delete(entry.key);
                return 0;
            });
        } else if (kind <= 2) {
            batch();
        } else if (kind == 3) {
            get(entry);
        } else if (kind <= 5 && known) {
            boolean holds = kind == 4;
            Condition present = has.isAbsent()
                    ? Condition.present()
                    : Condition.versionIs(new Version(Long.toString(has.version())));
            put(entry, has.isAbsent() == holds ? Condition.absent() : present, holds, 0);
        } else if (kind == 6 && journal.habits.timesToLive()) {
            put(entry, Condition.none(), true, random.nextInt(4) == 0 ? 3_600 : 1 + random.nextInt(4));
        } else {
            put(entry, Condition.none(), true, 0);
        }
    }

    /// @param seconds to live, 0 for ever
    private void put(Entry entry, Condition condition, boolean holds, long seconds)
            throws Violation, InterruptedException {
        State forEver = State.of(journal.operations.incrementAndGet(), length());
        long from = System.currentTimeMillis() + seconds * 1_000 - Check.CLOCK_STEP_MILLIS;
        // How long a value may still be there is known once the answer is; so it is after the longest call.
        long to = from + Habits.DEADLINE_MILLIS + 2 * Check.CLOCK_STEP_MILLIS;
        State state = seconds == 0 ? forEver : forEver.expiring(from, to);
        PutOptions plain = PutOptions.defaults().when(condition);
        PutOptions options = seconds == 0 ? plain : plain.lives(Duration.ofSeconds(seconds));
        send("put", Map.of(entry, state), holds, () -> {
            Version version = client.put(entry.key, state.bytes(), options);
            return Long.parseLong(version.digits());
        });
    }

    private void batch() throws Violation, InterruptedException {
        Map<Entry, State> writes = new LinkedHashMap<>();
        Batch batch = new Batch();
        for (int i = 2 + random.nextInt(MOST_OF_BATCH - 1); i > 0; i--) {
            Entry entry = own.get(random.nextInt(own.size()));
            if (entry.frozen || writes.containsKey(entry)) {
                continue;
            }
            if (random.nextInt(5) == 0) {
                writes.put(entry, State.ABSENT);
                batch.delete(entry.key);
            } else {
                State state = State.of(journal.operations.incrementAndGet(), Math.min(length(), 20 << 10));
                writes.put(entry, state);
                batch.put(entry.key, state.bytes());
            }
        }
        if (!writes.isEmpty()) {
            send("batch", writes, true, () -> {
                client.write(batch);
                return 0;
            });
        }
    }

    /// @param holds whether the condition does
    /// @param call returns the version, or 0 where it is unknown
    private void send(String what, Map<Entry, State> writes, boolean holds, LongSupplier call)
            throws Violation, InterruptedException {
        long id = journal.operations.incrementAndGet();
        long newest = journal.newest.get();
        writes.forEach((entry, state) ->
                journal.note(number + " sends " + id + ": " + what + " " + entry.key.text() + " " + state));
        try {
            long version = call.getAsLong();
            journal.note(number + " acknowledged " + id + ", version " + version);
            if (!holds || version != 0 && version <= newest) {
                Entry entry = writes.keySet().iterator().next();
                throw new Violation("key " + entry.key.text() + ": a put got version " + version
                        + (holds ? " after version " + newest : ", and its condition does not hold"));
            }
            journal.newest.accumulateAndGet(version, Math::max);
            add(writes, version, false, id);
            journal.acknowledged.incrementAndGet();
        } catch (KvantException.ConditionFailed e) {
            journal.note(number + " condition of " + id + " does not hold");
            if (holds) {
                throw new Violation("refused, and its condition holds: " + e.getMessage());
            }
        } catch (KvantException.Refused | KvantException.Unavailable e) {
            journal.note(number + " refused " + id + ": " + e.getMessage());
            journal.refused.incrementAndGet();
            Thread.sleep(BACK_OFF_MILLIS);
        } catch (KvantException e) {
            journal.note(number + " open " + id + ": " + e.getMessage());
            openOutcomes++;
            if (holds) {
                add(writes, 0, true, id);
            }
        }
    }

    private static void add(Map<Entry, State> writes, long version, boolean open, long id) {
        long now = System.nanoTime();
        writes.forEach((entry, state) -> {
            entry.writes.add(new Entry.Write(state.withVersion(version), open, now, writes.size() > 1 ? id : 0));
            entry.frozen |= open;
        });
    }

    private void get(Entry entry) throws Violation {
        try {
            entry.seen(State.Observed.read(client, entry.key), false);
        } catch (KvantException e) {
            journal.note(number + " read nothing: " + e.getMessage());
        }
    }

    /// Most are small; some are kept apart from tables; a few are larger than what is left of a log.
    private int length() {
        int kind = random.nextInt(50);
        int most = kind == 0 ? 600 << 10 : kind < 4 ? 120 << 10 : kind < 10 ? 20 << 10 : 1_000;
        return State.SHORTEST + random.nextInt(Math.min(most, journal.habits.longestValue()));
    }
}
