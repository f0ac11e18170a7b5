package kvant.lsm.record;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import kvant.lsm.bytes.ByteReader;

/// What is left of a sorted stream of records when they are written to new tables: of each key the newest
/// version; and where nothing older lies beneath, no deletions and no expired values either.
///
/// Dropping older versions is safe without a list of snapshots, because a snapshot pins the memtables and
/// tables it reads, and these are never changed.
public final class SurvivorCursor implements RecordCursor {

    private final RecordCursor source;
    private final boolean bottom;
    private final long nowMillis;
    private byte[] lastKey = new byte[64];
    private int lastKeyLength = -1;

    /// @param bottom whether no older record of any of these keys exists elsewhere
    /// @param nowMillis what has expired by then may be dropped
    public SurvivorCursor(RecordCursor source, boolean bottom, long nowMillis) {
        this.source = source;
        this.bottom = bottom;
        this.nowMillis = nowMillis;
    }

    @Override
    public boolean seek(byte[] key) {
        lastKeyLength = -1;
        return source.seek(key) && settle();
    }

    @Override
    public boolean next() {
        return source.next() && settle();
    }

    /// Moves on until the source stands on a survivor.
    private boolean settle() {
        do {
            if (!isLastKey()) {
                rememberKey();
                if (!bottom || isLive()) {
                    return true;
                }
            }
        } while (source.next());
        return false;
    }

    private boolean isLastKey() {
        return lastKeyLength >= 0
                && Arrays.equals(lastKey, 0, lastKeyLength, keyArray(), keyOffset(), keyOffset() + keyLength());
    }

    private void rememberKey() {
        int length = keyLength();
        if (lastKey.length < length) {
            lastKey = new byte[Math.max(length, lastKey.length * 2)];
        }
        System.arraycopy(keyArray(), keyOffset(), lastKey, 0, length);
        lastKeyLength = length;
    }

    private boolean isLive() {
        return switch (Tag.kind(tag())) {
            case Tag.DELETE -> false;
            case Tag.PUT_EXPIRING -> !StoredValue.isExpired(expiresAtMillis(), nowMillis);
            default -> true;
        };
    }

    private long expiresAtMillis() {
        return MemorySegment.ofArray(storedValue()).get(ByteReader.LONG, 0);
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
