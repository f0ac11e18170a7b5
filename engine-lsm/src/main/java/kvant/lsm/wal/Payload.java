package kvant.lsm.wal;

import java.util.ArrayList;
import java.util.List;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.record.RecordView;

/// The content of one record while it is being built. Large arrays are referenced, not copied, so that a large
/// value costs no second large array.
///
/// Reused from record to record. Belongs to one thread.
public final class Payload {

    /// From this size on, an array is referenced.
    private static final int LARGE_BYTES = 64 << 10;
    /// A buffer that grew beyond this for one record is released.
    private static final int KEPT_BYTES = 8 << 20;

    private static final int INITIAL_BYTES = 16 << 10;

    /// An array that belongs before the bytes encoded from this position on.
    private record Large(int position, byte[] bytes) {}

    private ByteWriter encoded = new ByteWriter(INITIAL_BYTES);
    private final List<Large> larges = new ArrayList<>();
    private long largeBytes;

    /// For everything but large arrays.
    public ByteWriter out() {
        return encoded;
    }

    /// Appends an array, which must not change until the record is written.
    public void putArray(byte[] bytes) {
        if (bytes.length < LARGE_BYTES) {
            encoded.putBytes(bytes);
        } else {
            larges.add(new Large(encoded.size(), bytes));
            largeBytes += bytes.length;
        }
    }

    public long size() {
        return encoded.size() + largeBytes;
    }

    public void clear() {
        if (encoded.size() > KEPT_BYTES) {
            encoded = new ByteWriter(INITIAL_BYTES);
        }
        encoded.clear();
        larges.clear();
        largeBytes = 0;
    }

    <E extends Exception> void forEachPiece(RecordView.Pieces<E> sink) throws E {
        int from = 0;
        for (Large large : larges) {
            sink.take(encoded.array(), from, large.position() - from);
            sink.take(large.bytes(), 0, large.bytes().length);
            from = large.position();
        }
        sink.take(encoded.array(), from, encoded.size() - from);
    }
}
