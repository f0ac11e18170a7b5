package kvant.lsm.record;

import java.util.Arrays;

/// What is left of a sorted stream of records when they are written to new tables: of each key the newest
/// version. An expired value becomes a deletion, and where nothing older lies beneath, a deletion becomes nothing.
///
/// Dropping older versions is safe without a list of snapshots, because a snapshot pins the memtables and
/// tables it reads, and these are never changed.
public final class SurvivorCursor implements RecordCursor {

    private final RecordCursor source;
    private final Beneath beneath;
    private final long nowMillis;
    private byte[] lastKey = new byte[64];
    private int lastKeyLength = -1;
    private boolean expired;

    /// @param beneath knows where older records may lie that are not in the source
    /// @param nowMillis what has expired by then may be dropped
    public SurvivorCursor(RecordCursor source, Beneath beneath, long nowMillis) {
        this.source = source;
        this.beneath = beneath;
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
                expired = isExpired();
                if (!isDeletion() || beneath.mayHold(keyArray(), keyOffset(), keyLength())) {
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

    private boolean isDeletion() {
        return Tag.kind(tag()) == Tag.DELETE;
    }

    private boolean isExpired() {
        return Tag.kind(source.tag()) == Tag.PUT_EXPIRING && StoredValue.isExpired(source.expiresAtMillis(), nowMillis);
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
        long tag = source.tag();
        return expired ? Tag.of(Tag.sequence(tag), Tag.DELETE) : tag;
    }

    @Override
    public int valueLength() {
        return expired ? 0 : source.valueLength();
    }

    @Override
    public void copyValue(byte[] target, int offset) {
        if (!expired) {
            source.copyValue(target, offset);
        }
    }
}
