package kvant.load.loop;

/// The puts that follow from the answered gets of one connection and are not sent yet, in a ring of primitives.
///
/// Owned by the loop.
final class FollowUps {

    // The ring, the oldest at `head`.
    private final long[] keys;
    private final long[] due;
    private final long[] late;
    private final boolean[] measured;
    private int head;
    private int size;

    /// @param depth requests in flight at most: one put follows from each of them, so that there is room
    FollowUps(int depth) {
        keys = new long[depth];
        due = new long[depth];
        late = new long[depth];
        measured = new boolean[depth];
    }

    boolean isEmpty() {
        return size == 0;
    }

    /// @param dueNanos when the answer to its get was there
    /// @param lateNanos how much earlier that answer would have been there, had the generator never been late
    void add(long key, long dueNanos, long lateNanos, boolean isMeasured) {
        int at = (head + size) % keys.length;
        keys[at] = key;
        due[at] = dueNanos;
        late[at] = lateNanos;
        measured[at] = isMeasured;
        size++;
    }

    void pop() {
        head = head + 1 == keys.length ? 0 : head + 1;
        size--;
    }

    long key() {
        return keys[head];
    }

    long due() {
        return due[head];
    }

    long late() {
        return late[head];
    }

    boolean isMeasured() {
        return measured[head];
    }
}
