package kvant.lsm.record;

import java.util.Arrays;
import java.util.List;

/// Several cursors as one, in one order: keys ascending, versions descending. Where two cursors hold the
/// very same version, that of the earlier cursor comes first.
///
/// A binary heap of those cursors that still have a record, the least on top. One move costs about one
/// comparison where one source leads for a while, which is the usual case, and two for each level of the
/// heap where not.
public final class MergingCursor implements RecordCursor {

    private final RecordCursor[] sources;
    /// Indices into `sources`, a heap over `[0, size)`.
    private final int[] heap;
    private int size;

    public MergingCursor(List<? extends RecordCursor> sources) {
        this.sources = sources.toArray(RecordCursor[]::new);
        this.heap = new int[sources.size()];
    }

    @Override
    public boolean seek(byte[] key) {
        size = 0;
        for (int i = 0; i < sources.length; i++) {
            if (sources[i].seek(key)) {
                heap[size++] = i;
            }
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            siftDown(i);
        }
        return size > 0;
    }

    @Override
    public boolean next() {
        if (size == 0) {
            return false;
        }
        if (!top().next()) {
            heap[0] = heap[--size];
        }
        if (size > 1) {
            siftDown(0);
        }
        return size > 0;
    }

    @Override
    public byte[] keyArray() {
        return top().keyArray();
    }

    @Override
    public int keyOffset() {
        return top().keyOffset();
    }

    @Override
    public int keyLength() {
        return top().keyLength();
    }

    @Override
    public long tag() {
        return top().tag();
    }

    @Override
    public int valueLength() {
        return top().valueLength();
    }

    @Override
    public void copyValue(int from, byte[] target, int offset, int length) {
        top().copyValue(from, target, offset, length);
    }

    private RecordCursor top() {
        return sources[heap[0]];
    }

    private void siftDown(int start) {
        int moving = heap[start];
        int hole = start;
        while (true) {
            int child = 2 * hole + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && before(heap[child + 1], heap[child])) {
                child++;
            }
            if (!before(heap[child], moving)) {
                break;
            }
            heap[hole] = heap[child];
            hole = child;
        }
        heap[hole] = moving;
    }

    private boolean before(int a, int b) {
        RecordCursor left = sources[a];
        RecordCursor right = sources[b];
        int order = Arrays.compareUnsigned(
                left.keyArray(),
                left.keyOffset(),
                left.keyOffset() + left.keyLength(),
                right.keyArray(),
                right.keyOffset(),
                right.keyOffset() + right.keyLength());
        if (order == 0) {
            order = Long.compare(right.tag(), left.tag());
        }
        return order < 0 || order == 0 && a < b;
    }
}
