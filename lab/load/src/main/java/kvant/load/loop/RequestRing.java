package kvant.load.loop;

import kvant.load.workload.Operation;

/// The requests of one connection in order, in preallocated cells.
///
/// Owned by the loop.
final class RequestRing {

    /// A request in flight, or a follow-up put that is not sent yet.
    static final class Cell {

        long intended;
        /// Earliest time at which it was due and the connection had room.
        long free;

        long sent;
        /// How much earlier a punctual generator would have sent it: its own delay, plus the delay of the request whose
        /// answer made room for it, because that answer would have arrived earlier by the same amount.
        long late;

        long inherited;
        long key;
        Operation operation = Operation.PLAIN;
        boolean missing;
        boolean isNew;
        boolean measured;
        boolean followUp;

        /// The part of `late` in its response time. A follow-up put is due when its get was answered, so the delay of
        /// the get is not included.
        long charged() {
            return late - inherited;
        }
    }

    private final Cell[] cells;
    private int head;
    private int size;

    /// @param depth maximum requests in flight, each with at most one follow-up put
    RequestRing(int depth) {
        cells = new Cell[depth];
        for (int i = 0; i < depth; i++) {
            cells[i] = new Cell();
        }
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean isFull() {
        return size == cells.length;
    }

    Cell oldest() {
        return cells[head];
    }

    /// A cell for a new request, with its old contents.
    Cell add() {
        return cells[(head + size++) % cells.length];
    }

    /// Removes the oldest.
    void pop() {
        head = head + 1 == cells.length ? 0 : head + 1;
        size--;
    }
}
