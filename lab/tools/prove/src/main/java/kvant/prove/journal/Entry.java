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

    /// The last one acknowledged.
    State certain() {
        for (Write write : writes.reversed()) {
            if (!write.open()) {
                return write.state();
            }
        }
        return before;
    }

    /// Which write a read has seen: -1 for what was there before. Without `older` only the last one acknowledged and
    /// what is open after it.
    int seen(State.Observed read, long begin, long end, boolean older) throws Violation {
        int oldest = older ? -1 : lastAcknowledged();
        for (int i = writes.size() - 1; i >= oldest; i--) {
            if (state(i).matches(read, begin, end)) {
                return i;
            }
        }
        throw new Violation("key " + key.text() + ": " + certain() + " was acknowledged, and there is " + read
                + (frozen ? " (a later write is open: " + writes.getLast().state() + ")" : "")
                + word(read, begin, end));
    }

    private String word(State.Observed read, long begin, long end) {
        for (int i = -1; i < writes.size(); i++) {
            if (state(i).matches(read, begin, end)) {
                return ": lost, an older state is back";
            }
        }
        return ": no write made this";
    }

    State state(int write) {
        return write < 0 ? before : writes.get(write).state();
    }

    private int lastAcknowledged() {
        int last = writes.size() - 1;
        while (last >= 0 && writes.get(last).open()) {
            last--;
        }
        return last;
    }

    /// After a check: this is what the key has.
    void settle(State now) {
        before = now;
        writes.clear();
        frozen = false;
    }
}
