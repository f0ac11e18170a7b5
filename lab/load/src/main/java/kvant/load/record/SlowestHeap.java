package kvant.load.record;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import kvant.load.workload.Operation;

/// The slowest requests of one loop: a heap with the fastest of them on top, which the next slower request replaces.
///
/// The selection is exact, whenever in the run slow requests occur: the threshold of the slowest thousandth is known
/// only at the end. Its memory is allocated at the start and never grows, and most requests cost one comparison.
///
/// Owned by the loop; read after the loop has ended.
public final class SlowestHeap {

    /// A heap without capacity.
    public static final SlowestHeap NONE = new SlowestHeap(0);

    private static final int DUE = 0;
    private static final int RECEIVED = 4;
    private static final int FIELDS = 8;

    private final long[][] cells; // the fields of a request each, in the order of SlowRequest
    private final PriorityQueue<long[]> heap;
    private long fastestNanos;

    public SlowestHeap(int most) {
        cells = new long[most][FIELDS];
        heap = new PriorityQueue<>(Math.max(1, most), Comparator.comparingLong(SlowestHeap::response));
        fastestNanos = most == 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
    }

    private static long response(long[] cell) {
        return cell[RECEIVED] - cell[DUE];
    }

    /// True if a request with this response time belongs in the heap.
    public boolean isSlow(long responseNanos) {
        return responseNanos > fastestNanos;
    }

    /// Adds a request for which [#isSlow] returned true.
    public void keep(
            long due, long free, long sent, long ready, long received, int port, Operation operation, int status) {
        long[] cell = heap.size() < cells.length ? cells[heap.size()] : heap.remove();
        cell[DUE] = due;
        cell[1] = free;
        cell[2] = sent;
        cell[3] = ready;
        cell[RECEIVED] = received;
        cell[5] = port;
        cell[6] = operation.ordinal();
        cell[7] = status;
        heap.add(cell);
        if (heap.size() == cells.length) {
            fastestNanos = response(heap.element());
        }
    }

    /// All requests, unordered.
    public List<SlowRequest> all() {
        return heap.stream()
                .map(cell -> new SlowRequest(
                        cell[DUE],
                        cell[1],
                        cell[2],
                        cell[3],
                        cell[RECEIVED],
                        (int) cell[5],
                        Operation.of((int) cell[6]),
                        (int) cell[7]))
                .toList();
    }
}
