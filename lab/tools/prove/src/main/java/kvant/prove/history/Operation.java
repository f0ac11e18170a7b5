package kvant.prove.history;

import java.util.List;
import java.util.stream.Stream;

/// What one client asked of keys, and what came of it. Gets, puts, conditions, batches, ranges and transactions all
/// have this form: under conditions, reads and writes of one moment.
///
/// @param session requests of one connection take effect in their order, also where they are pipelined, but for
/// [#isBeside]
/// @param called when it was sent, as `System.nanoTime`
/// @param ended when its answer came; of an open one, when it can no longer take effect
/// @param version that the answer named, 0 for none
record Operation(
        String name,
        long session,
        long called,
        long ended,
        Outcome outcome,
        List<Cell> conditions,
        List<Cell> reads,
        List<Cell> writes,
        long version) {

    /// Of an open one that may take effect at any time.
    static final long NEVER = Long.MAX_VALUE;

    enum Outcome {
        DONE,
        /// A condition did not hold.
        REFUSED,
        /// Done under its conditions, or not at all.
        OPEN
    }

    /// A key and a value by their numbers. No two puts have the same value.
    record Cell(int key, int value) {
        static final int ABSENT = 0;

        /// As a condition: any value.
        static final int PRESENT = -1;

        boolean isAbsent() {
            return value == ABSENT;
        }

        String name() {
            return Keys.name(key);
        }

        byte[] bytes() {
            return isAbsent() ? new byte[0] : Values.bytes(value);
        }
    }

    /// One that has no answer yet.
    static Operation asked(String name, List<Cell> conditions, Cell... writes) {
        return new Operation(name, 0, 0, 0, Outcome.OPEN, conditions, List.of(), List.of(writes), 0);
    }

    Operation done(long named, Cell... found) {
        return new Operation(name, 0, 0, 0, Outcome.DONE, conditions, List.of(found), writes, named);
    }

    Operation refused() {
        return new Operation(name, 0, 0, 0, Outcome.REFUSED, conditions, reads, writes, 0);
    }

    Operation at(long itsSession, long sent, long answered) {
        return new Operation(name, itsSession, sent, answered, outcome, conditions, reads, writes, version);
    }

    List<Integer> keys() {
        return Stream.of(conditions, reads, writes)
                .flatMap(List::stream)
                .map(Cell::key)
                .toList();
    }

    /// Whether a node lets both go side by side where one follows the other on a connection: reads, and commands of
    /// Redis that change one key.
    boolean isBeside(Operation next) {
        boolean isRead = writes.isEmpty();
        return isRead == next.writes.isEmpty() && (isRead || isOfOneKey() && next.isOfOneKey());
    }

    private boolean isOfOneKey() {
        return name.startsWith("SET") || name.equals("GETDEL");
    }

    boolean isOpen() {
        return outcome == Outcome.OPEN;
    }
}
