package kvant.lsm.memtable;

import kvant.engine.Lookup;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import org.jspecify.annotations.Nullable;

/// A memtable that is another one, for tests that watch it or hold it up.
public class ForwardingMemtable implements Memtable {

    private final Memtable records;

    public ForwardingMemtable(Memtable records) {
        this.records = records;
    }

    @Override
    public void add(long sequence, int kind, byte[] key, byte[] value, long expiresAtMillis) {
        records.add(sequence, kind, key, value, expiresAtMillis);
    }

    @Override
    public @Nullable Lookup find(byte[] key, long hash, long newestTag, Reading reading) {
        return records.find(key, hash, newestTag, reading);
    }

    @Override
    public RecordCursor cursor() {
        return records.cursor();
    }

    @Override
    public long bytes() {
        return records.bytes();
    }

    @Override
    public int count() {
        return records.count();
    }

    @Override
    public long lastSequence() {
        return records.lastSequence();
    }

    @Override
    public boolean acquire() {
        return records.acquire();
    }

    @Override
    public void release() {
        records.release();
    }
}
