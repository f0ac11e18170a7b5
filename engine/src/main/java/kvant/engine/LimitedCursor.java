package kvant.engine;

/// The first records of another cursor. Does not move the other one beyond them, so that nothing is read that
/// nobody sees. Belongs to one thread at a time, as the other one does.
final class LimitedCursor implements Cursor {

    private final Cursor records;
    private long left;

    LimitedCursor(Cursor records, long limit) {
        this.records = records;
        this.left = limit;
    }

    @Override
    public boolean next() {
        if (left == 0) {
            return false;
        }
        left--;
        return records.next();
    }

    @Override
    public byte[] key() {
        return records.key();
    }

    @Override
    public byte[] value() {
        return records.value();
    }

    @Override
    public long version() {
        return records.version();
    }

    @Override
    public long expiresAtMillis() {
        return records.expiresAtMillis();
    }

    @Override
    public void close() {
        records.close();
    }
}
