package kvant.load.loop;

/// The connections that wait for their next due time, earliest on top: a binary heap of primitives.
///
/// A connection is in the heap at most once. Owned by one loop.
final class DueHeap {

    private final long[] times;
    private final int[] slots;
    private int size;

    DueHeap(int capacity) {
        times = new long[capacity];
        slots = new int[capacity];
    }

    boolean isEmpty() {
        return size == 0;
    }

    void clear() {
        size = 0;
    }

    /// The earliest time; the heap must not be empty.
    long earliest() {
        return times[0];
    }

    void add(long time, int slot) {
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (times[parent] - time <= 0) {
                break;
            }
            times[at] = times[parent];
            slots[at] = slots[parent];
            at = parent;
        }
        times[at] = time;
        slots[at] = slot;
    }

    /// Removes the earliest entry and returns its slot.
    int take() {
        int taken = slots[0];
        size--;
        long time = times[size];
        int slot = slots[size];
        int at = 0;
        int child = 1;
        while (child < size) {
            if (child + 1 < size && times[child + 1] - times[child] < 0) {
                child++;
            }
            if (time - times[child] <= 0) {
                break;
            }
            times[at] = times[child];
            slots[at] = slots[child];
            at = child;
            child = 2 * at + 1;
        }
        times[at] = time;
        slots[at] = slot;
        return taken;
    }
}
