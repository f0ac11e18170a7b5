package kvant.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import kvant.cassandra.MergingScan.Record;
import kvant.engine.Terms;
import org.jspecify.annotations.Nullable;

/// The records of one bucket, page by page: the next page is asked for when half of the last one is used up, so that
/// at most two are in memory.
///
/// The first page has few rows. After it the length of rows is known, and pages become as long as the share of
/// [#SCAN_BYTES] that falls to a bucket. Belongs to the reader of the scan.
final class BucketScan {

    /// About how much a scan keeps in memory, all buckets together.
    static final long SCAN_BYTES = 8L << 20;

    private static final int FIRST_ROWS = 4;
    private static final int MOST_ROWS = 1000;
    private static final int PAGES = 2;
    private static final int ROW_OVERHEAD_BYTES = 64;

    // Constant.
    private final Statements statements;
    private final Requests requests;
    private final int bucket;
    private final byte @Nullable [] to;

    // Owned by the reader.
    private final ArrayDeque<Record> page = new ArrayDeque<>();
    private @Nullable CompletionStage<AsyncResultSet> asked;
    private @Nullable Record record;
    private byte[] last;
    private int rows = FIRST_ROWS;
    private boolean complete;

    /// Asks for the first page.
    BucketScan(Statements statements, Requests requests, int bucket, byte[] from, byte @Nullable [] to) {
        this.statements = statements;
        this.requests = requests;
        this.bucket = bucket;
        this.last = from;
        this.to = to;
        ask(true);
    }

    /// Waits for a page if it must.
    ///
    /// @return whether there is another record
    boolean next() {
        while (page.isEmpty()) {
            if (complete) {
                record = null;
                return false;
            }
            take();
        }
        record = page.poll();
        if (!complete && asked == null && page.size() <= rows / 2) {
            ask(false);
        }
        return true;
    }

    Record record() {
        Record at = record;
        if (at == null) {
            throw new IllegalStateException("no record");
        }
        return at;
    }

    /// What was asked for is not waited for.
    void close() {
        complete = true;
        page.clear();
        asked = null;
    }

    private void ask(boolean first) {
        asked = requests.send("scan", statements.page(bucket, last, first, to, rows), Terms.USUAL);
    }

    private void take() {
        CompletionStage<AsyncResultSet> answer = asked;
        if (answer == null) {
            ask(false);
            return;
        }
        asked = null;
        AsyncResultSet result;
        try {
            result = answer.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw Failures.ofRead(e);
        }
        long now = statements.nowMillis();
        int count = 0;
        long bytes = 0;
        for (Row row : result.currentPage()) {
            count++;
            Record read = record(row);
            last = read.key();
            bytes += read.key().length + read.value().length + ROW_OVERHEAD_BYTES;
            if (!row.isNull(3) && row.getLong(3) > now) {
                page.add(read);
            }
        }
        complete = count < rows;
        if (count > 0) {
            long share = SCAN_BYTES / (PAGES * (long) statements.layout().buckets());
            rows = Math.clamp(share * count / bytes, 1, MOST_ROWS);
        }
    }

    /// Of a row with key, value, version and end. Without an end the row is what a delete left.
    static Record record(Row row) {
        long end = row.isNull(3) ? 0 : row.getLong(3);
        return new Record(bytes(row, 0), bytes(row, 1), row.getLong(2), Statements.expiresAtMillis(end));
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
