package kvant.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import kvant.engine.EngineException;
import kvant.engine.Range;
import kvant.engine.Terms;
import org.jspecify.annotations.Nullable;

/// The records of a range in no order: parts of the ring are read side by side, each page by page from
/// a replica that has it, and a page is shown when it has come.
///
///     lane 0 --part 7, page--\
///     lane 1 --part 2, page---> whichever comes first --> reader
///     ...                    /
///
/// A lane asks for its next page when the reader takes the last one, so that there are at most as many
/// pages as lanes in memory or under way, and the one that is being read. The driver's time limit holds
/// for each page. Belongs to the reader, which waits for pages; a virtual thread gives its place up
/// meanwhile.
final class ExportScan extends RowCursor {

    /// Pages asked for at once.
    static final int LANES = 8;

    private static final int FIRST_ROWS = 32;
    private static final int MOST_ROWS = 5000;

    /// A part of the ring, and how far it has been read.
    private record Place(TokenRange part, @Nullable ByteBuffer pagingState) {}

    /// The answer to a request: rows, or a failure.
    private record Page(
            Place place,
            @Nullable AsyncResultSet rows,
            @Nullable Throwable failure) {}

    // Constant.
    private final Statements statements;
    private final StatementSender requests;
    private final byte[] from;
    private final byte @Nullable [] to;

    // Filled by the driver's threads, emptied by the reader. Holds no more than there are lanes.
    private final BlockingQueue<Page> arrived = new LinkedBlockingQueue<>();

    // Owned by the reader.
    private final Deque<TokenRange> parts;
    private @Nullable Iterator<Row> rows;
    private final PageRows rowsOfAPage = new PageRows(FIRST_ROWS, MOST_ROWS, LANES + 1); // one is being read
    private int underWay;
    private long left;

    /// Asks for the first pages.
    ///
    /// @param parts of the ring, which together hold each record of the store once
    ExportScan(Statements statements, StatementSender requests, List<TokenRange> parts, Range range) {
        this.statements = statements;
        this.requests = requests;
        this.from = range.from();
        this.to = range.to();
        this.left = range.limit();
        this.parts = new ArrayDeque<>(parts);
        while (left > 0 && underWay < LANES && !this.parts.isEmpty()) {
            ask(new Place(this.parts.poll(), null));
        }
    }

    @Override
    public boolean next() {
        while (left > 0) {
            if (rows != null && rows.hasNext()) {
                Row row = rows.next();
                if (isLive(row, statements.nowMillis())) {
                    moveTo(record(row));
                    left--;
                    return true;
                }
            } else if (underWay > 0) {
                rows = take();
            } else {
                break;
            }
        }
        close();
        return false;
    }

    /// Does not wait for requests under way.
    @Override
    public void close() {
        left = 0;
        parts.clear();
        rows = null;
        moveTo(null);
    }

    private void ask(Place place) {
        underWay++;
        requests.send(
                        "export",
                        statements.part(place.part(), from, to, rowsOfAPage.count(), place.pagingState()),
                        Terms.USUAL)
                .whenComplete((rows, failure) -> arrived.add(new Page(place, rows, failure)));
    }

    /// Waits for a page, and requests the next page of its lane.
    private Iterator<Row> take() {
        Page page = await();
        underWay--;
        AsyncResultSet found = page.rows();
        if (found == null) {
            Throwable failure = page.failure();
            close();
            throw failure == null ? new EngineException.Closed() : DriverErrors.ofRead(failure);
        }
        Place next = found.hasMorePages()
                ? new Place(page.place().part(), found.getExecutionInfo().getPagingState())
                : parts.isEmpty() ? null : new Place(parts.poll(), null);
        int bytes = found.getExecutionInfo().getResponseSizeInBytes();
        if (bytes > 0) {
            rowsOfAPage.seen(found.remaining(), bytes);
        }
        if (next != null) {
            ask(next);
        }
        return found.currentPage().iterator();
    }

    /// Waits for a page. Every request has a time limit, so that this ends.
    private Page await() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return arrived.take();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
