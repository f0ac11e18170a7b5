package kvant.load.record;

import java.util.ArrayList;
import java.util.List;
import kvant.load.workload.Operation;

/// The slowest requests of one loop: a heap of primitives with the fastest of them on top, which the next slower
/// request replaces.
///
/// The selection is exact, whenever in the run slow requests occur: the threshold of the slowest thousandth is known
/// only at the end. Its memory is allocated at the start and never grows, and most requests cost one comparison.
///
/// Owned by the loop; read after the loop has ended.
public final class SlowestHeap {

    /// A heap without capacity.
    public static final SlowestHeap NONE = new SlowestHeap(0);

    private static final int FIELDS = 8;
    private static final int DUE = 0;
    private static final int FREE = 1;
    private static final int SENT = 2;
    private static final int READY = 3;
    private static final int RECEIVED = 4;
    private static final int PORT = 5;
    private static final int OPERATION = 6;
    private static final int STATUS = 7;

    private final long[] heap;
    private final int most;
    private int count;
    private long fastestNanos = Long.MIN_VALUE;

    public SlowestHeap(int most) {
        this.most = most;
        this.heap = new long[most * FIELDS];
        if (most == 0) {
            fastestNanos = Long.MAX_VALUE;
        }
    }

    /// True if a request with this response time belongs in the heap.
    public boolean isSlow(long responseNanos) {
        return responseNanos > fastestNanos;
    }

    /// Adds a request for which [#isSlow] returned true.
    public void keep(
            long due, long free, long sent, long ready, long received, int port, Operation operation, int status) {
        int at;
        if (count < most) {
            at = up(count++, received - due);
        } else {
            at = down(received - due);
        }
        int cell = at * FIELDS;
        heap[cell + DUE] = due;
        heap[cell + FREE] = free;
        heap[cell + SENT] = sent;
        heap[cell + READY] = ready;
        heap[cell + RECEIVED] = received;
        heap[cell + PORT] = port;
        heap[cell + OPERATION] = operation.ordinal();
        heap[cell + STATUS] = status;
        if (count == most) {
            fastestNanos = response(0);
        }
    }

    private long response(int at) {
        return heap[at * FIELDS + RECEIVED] - heap[at * FIELDS + DUE];
    }

    /// The position of a new entry, searched upwards from an empty leaf.
    private int up(int leaf, long nanos) {
        int at = leaf;
        while (at > 0 && response((at - 1) / 2) > nanos) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        return at;
    }

    /// The position of a new entry that replaces the top.
    private int down(long nanos) {
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= count) {
                return at;
            }
            if (child + 1 < count && response(child + 1) < response(child)) {
                child++;
            }
            if (response(child) >= nanos) {
                return at;
            }
            move(child, at);
            at = child;
        }
    }

    private void move(int from, int to) {
        System.arraycopy(heap, from * FIELDS, heap, to * FIELDS, FIELDS);
    }

    /// All requests, unordered.
    public List<SlowRequest> all() {
        List<SlowRequest> all = new ArrayList<>(count);
        for (int at = 0; at < count; at++) {
            int cell = at * FIELDS;
            all.add(new SlowRequest(
                    heap[cell + DUE],
                    heap[cell + FREE],
                    heap[cell + SENT],
                    heap[cell + READY],
                    heap[cell + RECEIVED],
                    (int) heap[cell + PORT],
                    Operation.of((int) heap[cell + OPERATION]),
                    (int) heap[cell + STATUS]));
        }
        return all;
    }
}
