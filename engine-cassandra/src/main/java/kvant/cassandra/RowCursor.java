package kvant.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import kvant.engine.Cursor;
import org.jspecify.annotations.Nullable;

/// A cursor over rows of the cluster, and what rows look like. Belongs to one thread at a time.
abstract class RowCursor implements Cursor {

    /// One row.
    record Record(byte[] key, byte[] value, long version, long expiresAtMillis) {}

    private static final int VALUE = 1;
    private static final int VERSION = 2;
    private static final int EXPIRES = 3;

    private @Nullable Record current;

    /// @param record where the cursor stands now, or null before the first and behind the last
    final void moveTo(@Nullable Record record) {
        current = record;
    }

    @Override
    public final byte[] key() {
        return current().key();
    }

    @Override
    public final byte[] value() {
        return current().value();
    }

    @Override
    public final long version() {
        return current().version();
    }

    @Override
    public final long expiresAtMillis() {
        return current().expiresAtMillis();
    }

    private Record current() {
        Record at = current;
        if (at == null) {
            throw new IllegalStateException("no record: next() has not returned true");
        }
        return at;
    }

    /// Whether a row with key, value, version and end holds a live value: it has an end in the future. A row without
    /// an end is left by a delete.
    static boolean isLive(Row row, long nowMillis) {
        return !row.isNull(EXPIRES) && row.getLong(EXPIRES) > nowMillis;
    }

    /// Decodes a row with key, value, version and end.
    static Record record(Row row) {
        long end = row.isNull(EXPIRES) ? 0 : row.getLong(EXPIRES);
        return new Record(bytes(row, 0), bytes(row, VALUE), row.getLong(VERSION), Statements.expiresAtMillis(end));
    }

    static byte[] bytes(Row row, int column) {
        ByteBuffer buffer = row.getByteBuffer(column);
        if (buffer == null) {
            return new byte[0];
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
