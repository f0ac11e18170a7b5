package kvant.engine;

/// A cursor that delegates to another one; subclasses override its methods. Belongs to one thread at a time, as the
/// other one does.
public abstract class ForwardingCursor implements Cursor {

    private final Cursor records;

    protected ForwardingCursor(Cursor records) {
        this.records = records;
    }

    @Override
    public boolean next() {
        return records.next();
    }

    @Override
    public final byte[] key() {
        return records.key();
    }

    @Override
    public final byte[] value() {
        return records.value();
    }

    @Override
    public final long version() {
        return records.version();
    }

    @Override
    public final long expiresAtMillis() {
        return records.expiresAtMillis();
    }

    @Override
    public void close() {
        records.close();
    }
}
