package kvant.server.request;

import java.util.Arrays;
import kvant.engine.Mutation;
import kvant.engine.feed.Change;

/// The changes of one round of an answer that follows a store; their keys and values are records. Used from
/// round to round, and handed to and fro as those.
public final class ChangeBatch extends RecordBatch {

    private static final byte[] NO_VALUE = {};
    private static final int INITIAL_CHANGES = 16;

    private static final int DELETED = 1;
    private static final int MORE = 1 << 1;

    private final boolean events;
    private long[] versions = new long[INITIAL_CHANGES];
    private byte[] flags = new byte[INITIAL_CHANGES];
    private long upTo;
    private long visible;
    private boolean gone;

    /// @param events whether changes are sent as server-sent events; else as ND-JSON
    public ChangeBatch(boolean events) {
        this.events = events;
    }

    /// Whether the changes are sent as server-sent events.
    public boolean events() {
        return events;
    }

    /// @param more whether the change behind it was applied in the same moment
    public void add(Change change, boolean more) {
        int at = count();
        if (at == versions.length) {
            versions = Arrays.copyOf(versions, at * 2);
            flags = Arrays.copyOf(flags, at * 2);
        }
        boolean deleted = change.mutation() instanceof Mutation.Delete;
        versions[at] = change.version();
        flags[at] = (byte) ((deleted ? DELETED : 0) | (more ? MORE : 0));
        switch (change.mutation()) {
            case Mutation.Put put -> add(put.key(), put.value(), put.expiresAtMillis());
            case Mutation.Delete delete -> add(delete.key(), NO_VALUE, Mutation.Put.NEVER);
        }
    }

    public long version(int index) {
        return versions[index];
    }

    public boolean isDeletion(int index) {
        return (flags[index] & DELETED) != 0;
    }

    /// Whether the next change was applied atomically with this one.
    public boolean hasMore(int index) {
        return (flags[index] & MORE) != 0;
    }

    /// The version up to which all changes have been sent, including those of this batch.
    public long upTo() {
        return upTo;
    }

    public void upTo(long version) {
        upTo = version;
    }

    /// The newest version that reads had seen when this batch was made; beyond [#upTo] if its change is not reported
    /// yet.
    public long visible() {
        return visible;
    }

    public void visible(long version) {
        visible = version;
    }

    /// Whether the client has to start again, because the changes after these are no longer held.
    public boolean gone() {
        return gone;
    }

    public void markGone() {
        gone = true;
    }
}
