package kvant.lsm.record;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The records of a range of keys. Belongs to one thread.
public final class RangeCursor implements RecordCursor {

    private final RecordCursor source;
    private final byte[] from;
    private final byte @Nullable [] to;

    /// @param from inclusive
    /// @param to exclusive; null for the end
    public RangeCursor(RecordCursor source, byte[] from, byte @Nullable [] to) {
        this.source = source;
        this.from = from;
        this.to = to;
    }

    @Override
    public boolean seek(byte[] key) {
        return source.seek(Arrays.compareUnsigned(key, from) < 0 ? from : key) && isWithin();
    }

    @Override
    public boolean next() {
        return source.next() && isWithin();
    }

    private boolean isWithin() {
        int at = source.keyOffset();
        return to == null
                || Arrays.compareUnsigned(source.keyArray(), at, at + source.keyLength(), to, 0, to.length) < 0;
    }

    @Override
    public byte[] keyArray() {
        return source.keyArray();
    }

    @Override
    public int keyOffset() {
        return source.keyOffset();
    }

    @Override
    public int keyLength() {
        return source.keyLength();
    }

    @Override
    public long tag() {
        return source.tag();
    }

    @Override
    public int valueLength() {
        return source.valueLength();
    }

    @Override
    public void copyValue(byte[] target, int offset) {
        source.copyValue(target, offset);
    }
}
