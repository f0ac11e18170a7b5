package kvant.load.loop;

import kvant.load.workload.Operation;

/// Requests of one connection in their order, in cells that are made with it and used again.
///
/// Owned by the loop.
final class RequestRing {

    /// One request: in flight, or a put that follows from a get and is not sent yet.
    static final class Cell {

        long intended;
        /// When there was room for it, and it was due.
        long free;

        long sent;
        /// How much earlier a generator that is never late would have sent it: by its own delay, and by that of the
        /// request whose answer made room for it, because that answer would have been there earlier by as much.
        long late;

        long inherited;
        long key;
        Operation operation = Operation.PLAIN;
        boolean missing;
        boolean isNew;
        boolean measured;
        boolean followUp;

        /// How much of `late` is in its response time: a put that follows is due when its get was answered, so that
        /// what delayed the get is not.
        long charged() {
            return late - inherited;
        }
    }

    private final Cell[] cells;
    private int head;
    private int size;

    /// @param depth requests in flight at most; one put follows from each of them, so that there is room for these too
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

    /// A cell for the newest, with what it had before.
    Cell add() {
        return cells[(head + size++) % cells.length];
    }

    /// Forgets the oldest.
    void pop() {
        head = head + 1 == cells.length ? 0 : head + 1;
        size--;
    }
}
