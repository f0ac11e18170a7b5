package kvant.move.node;

import java.time.Instant;
import kvant.client.Key;
import kvant.client.KvantException;
import kvant.client.RangeCursor;
import kvant.engine.Cursor;
import kvant.engine.Mutation;
import org.jspecify.annotations.Nullable;

/// The records of a node, read in pages as they arrive; each page is a separate snapshot. Belongs to one thread.
final class NodeCursor implements Cursor {

    /// The smallest possible key.
    static final Key LEAST = Key.of(new byte[] {0});
    /// Records in a page: few enough that the node does not keep old files for long.
    private static final int PAGE_RECORDS = 10_000;

    // Constant.
    private final NodeEndpoint node;

    // One thread.
    private RangeCursor page;
    private int records;
    private @Nullable Key last;
    private boolean ended;

    NodeCursor(NodeEndpoint node, byte[] from) {
        this.node = node;
        this.page = node.range(from.length == 0 ? LEAST : Key.of(from), PAGE_RECORDS);
    }

    @Override
    public boolean next() {
        try {
            while (!ended) {
                if (page.next()) {
                    records++;
                    if (!page.key().equals(last)) { // the previous page ended with this key
                        last = page.key();
                        return true;
                    }
                } else if (records < PAGE_RECORDS || last == null) {
                    ended = true;
                } else {
                    page = node.range(last, PAGE_RECORDS);
                    records = 0;
                }
            }
            return false;
        } catch (KvantException e) {
            throw node.failure(e);
        }
    }

    @Override
    public byte[] key() {
        return page.key().bytes();
    }

    @Override
    public byte[] value() {
        return page.value();
    }

    /// The reply to a range request has no versions.
    @Override
    public long version() {
        return 0;
    }

    @Override
    public long expiresAtMillis() {
        return page.expires().map(Instant::toEpochMilli).orElse(Mutation.Put.NEVER);
    }

    @Override
    public void close() {
        ended = true;
        page.close();
    }
}
