package kvant.prove.journal;

import java.util.ArrayList;
import java.util.List;
import kvant.client.Key;
import kvant.prove.stage.Violation;

/// The journal of one key. One writer at a time owns it, so that its writes have an order; after an outcome
/// that is open it is not written until a check has found out.
final class Entry {

    /// A write since the last check.
    ///
    /// @param open whether it was sent and not answered
    /// @param ackNanos when it was acknowledged
    /// @param batch of which it is a part, 0 for none
    record Write(State state, boolean open, long ackNanos, long batch) {}

    final Key key;
    final List<Write> writes = new ArrayList<>();
    State before = State.ABSENT;
    boolean frozen;

    Entry(Key key) {
        this.key = key;
    }

    /// What the key has after a write; -1 stands for before the first one.
    State state(int write) {
        return write < 0 ? before : writes.get(write).state();
    }

    /// What it has after the last write acknowledged.
    State certain() {
        return state(lastAcknowledged());
    }

    private int lastAcknowledged() {
        int last = writes.size() - 1;
        while (last >= 0 && writes.get(last).open()) {
            last--;
        }
        return last;
    }

    /// The index of the write that a read has seen, -1 for the state before the first one. Without `older`, a write
    /// before the last acknowledged one is a violation.
    int seen(State.Observed read, boolean older) throws Violation {
        int oldest = older ? -1 : lastAcknowledged();
        int seen = writes.size() - 1;
        while (seen >= -1 && !state(seen).matches(read)) {
            seen--;
        }
        if (seen >= oldest) {
            return seen;
        }
        throw new Violation("key " + key.text() + ": " + certain() + " was acknowledged, and there is " + read
                + (frozen ? " (a later write is open: " + writes.getLast().state() + ")" : "")
                + (seen < -1 ? ": no write made this" : ": lost, an older state is back"));
    }
}
