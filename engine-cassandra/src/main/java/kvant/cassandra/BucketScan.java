package kvant.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayDeque;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import kvant.cassandra.RowCursor.Record;
import kvant.engine.Terms;
import org.jspecify.annotations.Nullable;

/// The records of one bucket, page by page: the next page is asked for when half of the last one is used up, so that
/// at most two are in memory.
///
/// Belongs to the reader of the scan.
final class BucketScan {

    private static final int FIRST_ROWS = 4;
    private static final int MOST_ROWS = 1000;
    private static final int PAGES = 2; // in memory

    // Constant.
    private final Statements statements;
    private final StatementSender requests;
    private final int bucket;
    private final byte @Nullable [] to;

    // Owned by the reader.
    private final ArrayDeque<Record> page = new ArrayDeque<>();
    private @Nullable CompletionStage<AsyncResultSet> asked;
    private @Nullable Record record;
    private final PageRows rows;
    private byte[] last;
    private boolean complete;

    /// Asks for the first page.
    BucketScan(Statements statements, StatementSender requests, int bucket, byte[] from, byte @Nullable [] to) {
        this.statements = statements;
        this.requests = requests;
        this.bucket = bucket;
        this.last = from;
        this.to = to;
        this.rows =
                new PageRows(FIRST_ROWS, MOST_ROWS, PAGES * statements.layout().buckets());
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
        if (!complete && asked == null && page.size() <= rows.count() / 2) {
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

    /// Ends the scan without waiting for a page under way.
    void close() {
        complete = true;
        page.clear();
        asked = null;
    }

    private void ask(boolean first) {
        asked = requests.send("scan", statements.page(bucket, last, first, to, rows.count()), Terms.USUAL);
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
            throw DriverErrors.ofRead(e);
        }
        long now = statements.nowMillis();
        int count = 0;
        long bytes = 0;
        for (Row row : result.currentPage()) {
            count++;
            Record read = RowCursor.record(row);
            last = read.key();
            bytes += read.key().length + read.value().length;
            if (RowCursor.isLive(row, now)) {
                page.add(read);
            }
        }
        complete = count < rows.count();
        rows.seen(count, bytes);
    }
}
