package kvant.lsm.record;

import java.util.Arrays;
import kvant.lsm.bytes.Keys;
import org.jspecify.annotations.Nullable;

/// The records of a range of keys. Belongs to one thread.
public final class RangeCursor extends ForwardingRecordCursor {

    private final byte[] from;
    private final byte @Nullable [] to;

    /// @param from inclusive
    /// @param to exclusive; null for the end
    public RangeCursor(RecordCursor source, byte[] from, byte @Nullable [] to) {
        super(source);
        this.from = from;
        this.to = to;
    }

    @Override
    public boolean seek(byte[] key) {
        return source.seek(Arrays.compareUnsigned(key, from) < 0 ? from : key) && shows();
    }

    @Override
    public boolean next() {
        return source.next() && shows();
    }

    @Override
    boolean shows() {
        return to == null || Keys.compare(source.keyArray(), source.keyOffset(), source.keyLength(), to) < 0;
    }
}
