package kvant.rocksdb;

import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine.Reach;
import kvant.engine.Range;
import kvant.engine.RecordSink;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/// A cursor over a native iterator, which is itself a snapshot of the moment it was made.
///
/// Belongs to one thread at a time, but the engine's close may free it under that thread: every native call is
/// made inside [InUse], and the thread that removes the cursor from the engine's set of open ones frees it,
/// once. The record is copied out by [#next], so that looking at it touches nothing native.
final class RocksDbCursor implements Cursor {

    private static final int FIRST_BUFFER_BYTES = 4 << 10;
    private static final byte[] NOTHING = {};

    /// Most records that a short range reads, and most versions and deletions between two of them.
    private static final int MAX_SHORT_STEPS = 256;

    // Constant.
    private final RocksDbEngine engine;
    private final ReadOptions options;
    private final @Nullable Slice upperBound;
    private final RocksIterator iterator;

    // Owned by the reader.
    private byte[] buffer = new byte[FIRST_BUFFER_BYTES];
    private boolean begun;
    private boolean ended;
    private byte[] key = NOTHING;
    private byte[] value = NOTHING;
    private long version;
    private long expiresAtMillis;

    /// Called inside [InUse]; positions the iterator.
    RocksDbCursor(RocksDbEngine engine, Database database, byte[] from, byte @Nullable [] to) {
        this(engine, database, from, to, new ReadOptions());
    }

    private RocksDbCursor(
            RocksDbEngine engine, Database database, byte[] from, byte @Nullable [] to, ReadOptions options) {
        this.engine = engine;
        this.options = options;
        this.upperBound = to == null ? null : new Slice(to);
        if (upperBound != null) {
            options.setIterateUpperBound(upperBound);
        }
        this.iterator = database.rocks.newIterator(options);
        iterator.seek(from);
    }

    @Override
    public boolean next() {
        if (ended) {
            return false;
        }
        int ticket = engine.inUse().enter();
        try {
            ended = !advance();
            return !ended;
        } catch (RocksDBException e) {
            ended = true;
            throw engine.readFailed(e);
        } finally {
            engine.inUse().exit(ticket);
        }
    }

    private boolean advance() throws RocksDBException {
        if (begun) {
            iterator.next();
        }
        begun = true;
        while (iterator.isValid()) {
            int length = readValue();
            if (!ValueLayout.expired(buffer, engine.clock())) {
                key = iterator.key();
                value = ValueLayout.value(buffer, length);
                version = ValueLayout.version(buffer);
                expiresAtMillis = ValueLayout.expiresAtMillis(buffer);
                return true;
            }
            iterator.next();
        }
        iterator.status(); // the end of the range, or a failure?
        return false;
    }

    /// Reads a short range at once, from memory; see [kvant.engine.LocalEngine#tryScan]. Called inside [InUse], which
    /// the cursor does not outlive.
    static Reach readShort(RocksDbEngine engine, Database database, Range range, int maxBytes, RecordSink sink)
            throws RocksDBException {
        ReadOptions options =
                new ReadOptions().setReadTier(ReadTier.BLOCK_CACHE_TIER).setMaxSkippableInternalKeys(MAX_SHORT_STEPS);
        RocksDbCursor cursor = new RocksDbCursor(engine, database, range.from(), range.to(), options);
        try {
            return cursor.readShort(range.limit(), maxBytes, sink);
        } finally {
            cursor.free();
        }
    }

    private Reach readShort(long limit, long maxBytes, RecordSink sink) throws RocksDBException {
        long left = limit;
        long leftBytes = maxBytes;
        for (int steps = 0; left > 0 && iterator.isValid(); steps++) {
            int length = iterator.value(buffer); // as far as the buffer reaches
            byte[] current = iterator.key();
            leftBytes -= (long) current.length + length - ValueLayout.HEADER_BYTES;
            if (steps == MAX_SHORT_STEPS || leftBytes < 0) {
                return Reach.TOO_LONG;
            }
            if (length > buffer.length) {
                readValue();
            }
            ValueLayout.checkLength(length);
            if (!ValueLayout.expired(buffer, engine.clock())) {
                left--;
                sink.take(
                        current,
                        ValueLayout.value(buffer, length),
                        ValueLayout.version(buffer),
                        ValueLayout.expiresAtMillis(buffer));
            }
            if (left > 0) {
                iterator.next();
            }
        }
        iterator.status(); // the end of the range, or a failure, or a block that is not in memory?
        return Reach.WHOLE;
    }

    private int readValue() {
        int length = iterator.value(buffer);
        if (length > buffer.length) {
            buffer = new byte[Math.max(length, buffer.length * 2)];
            length = iterator.value(buffer);
        }
        ValueLayout.checkLength(length);
        return length;
    }

    @Override
    public byte[] key() {
        return key;
    }

    @Override
    public byte[] value() {
        return value;
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public long expiresAtMillis() {
        return expiresAtMillis;
    }

    @Override
    public void close() {
        ended = true;
        int ticket;
        try {
            ticket = engine.inUse().enter();
        } catch (EngineException.Closed _) {
            return; // the engine frees it, or has done so
        }
        try {
            if (engine.forget(this)) {
                free();
            }
        } finally {
            engine.inUse().exit(ticket);
        }
    }

    /// Frees the native objects. Called once, by the code that removed this cursor from the engine's set.
    void free() {
        iterator.close();
        options.close();
        if (upperBound != null) {
            upperBound.close();
        }
    }
}
