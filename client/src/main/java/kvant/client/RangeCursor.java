package kvant.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The records of a range, in the order of their keys, streamed: the node reads as fast as this is read. When a
/// connection breaks, the range continues behind the last received key, so that each record comes once.
///
///     try (RangeCursor users = client.range(RangeQuery.prefix(Key.of("user:")))) {
///         while (users.next()) {
///             ... users.key() ... users.value() ...
///         }
///     }
///
/// Each of [#parts] is a snapshot of its own. The deadline of the client holds for each call of [#next]. After an
/// exception `next` may be called again, and continues behind the last key. Belongs to one thread.
public final class RangeCursor implements AutoCloseable {

    // Constant.
    private final ClientTransport transport;
    private final Calls calls;
    private final long timeNanos;
    private final RangeQuery query;

    // One thread.
    private @Nullable RangeLines part;
    private int parts;
    private long delivered;
    private @Nullable Key last;
    private byte[] value = new byte[0];
    private Optional<Instant> expires = Optional.empty();
    private boolean ended;

    RangeCursor(ClientTransport transport, Calls calls, long timeNanos, RangeQuery query) {
        this.transport = transport;
        this.calls = calls;
        this.timeNanos = timeNanos;
        this.query = query;
    }

    /// Goes to the next record.
    ///
    /// @return false behind the last one
    public boolean next() {
        long deadline = System.nanoTime() + timeNanos;
        int failures = 0;
        while (!ended) {
            try {
                RangeLines open = part == null ? open(deadline) : part;
                if (open != null && take(open.next(deadline))) {
                    return true;
                }
            } catch (IOException e) {
                close(part);
                failures++;
                goOnOrFail(e, failures, deadline);
            }
        }
        return false;
    }

    /// Requests the rest of the range, from the last key on. That key comes again and is skipped, because a key of
    /// full length has no direct successor of valid length.
    ///
    /// @return null where nothing is left
    private @Nullable RangeLines open(long deadline) {
        Key from = last;
        long left = query.limit().orElse(Long.MAX_VALUE) - delivered;
        if (left == 0) {
            ended = true;
            return null;
        }
        RangeQuery rest = from == null
                ? query
                : new RangeQuery(from, query.end(), query.limit().map(most -> left + 1));
        PacedInput input = KvantClient.await(
                Attempts.start(transport, calls.range(rest), Math.max(1, deadline - System.nanoTime())));
        RangeLines opened = new RangeLines(input, transport.options().maxAnswerBytes());
        part = opened;
        parts++;
        return opened;
    }

    /// @return whether the line is a record that is new
    private boolean take(RangeLines.Line line) throws IOException {
        Key key = line.key();
        if (key == null) {
            if (line.reason() != null) {
                throw new IOException("the node broke the range off: " + line.reason());
            }
            close();
            return false;
        }
        if (key.equals(last)) {
            return false;
        }
        if (delivered == query.limit().orElse(Long.MAX_VALUE)) { // the one that was to be passed over has gone
            close();
            return false;
        }
        last = key;
        value = line.value();
        expires = line.expires();
        delivered++;
        return true;
    }

    /// Waits before a retry, or throws. The first break after a record costs no budget: received records are not
    /// requested again.
    private void goOnOrFail(IOException failure, int failures, long deadline) {
        String what = "GET " + transport.node() + Calls.ENTITIES + ": " + ClientTransport.words(failure);
        if (failure instanceof SocketTimeoutException) {
            throw new KvantException.DeadlinePassed(what, null, failure);
        }
        if (failure instanceof InterruptedIOException) {
            throw new KvantException.Interrupted(what, null, failure);
        }
        if (failure instanceof Received.TooLongException) {
            throw new KvantException.Failed(what, null, failure);
        }
        long wait = transport.backoff().nanosAfter(failures, 0);
        boolean hasTime = System.nanoTime() + wait - deadline < 0;
        boolean may = failures == 1 || transport.budget().take();
        if (failures >= transport.options().tries() || !hasTime || !may) {
            throw new KvantException.Unavailable(what + " (" + parts + " parts)", null, failure);
        }
        try {
            TimeUnit.NANOSECONDS.sleep(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KvantException.Interrupted(what, null, e);
        }
    }

    /// The key of the current record.
    public Key key() {
        if (last == null) {
            throw new IllegalStateException("call next() first");
        }
        return last;
    }

    /// The value of the current record: the array itself, not a copy.
    public byte[] value() {
        key();
        return value;
    }

    /// The expiry time of the record, if it has one. From then on it reads as absent.
    public Optional<Instant> expires() {
        key();
        return expires;
    }

    /// The number of responses over which the records came: more than one when a connection broke.
    public int parts() {
        return parts;
    }

    /// Lets the node and the connection go; the range is over.
    @Override
    public void close() {
        ended = true;
        close(part);
    }

    private void close(@Nullable RangeLines open) {
        part = null;
        if (open != null) {
            open.close();
        }
    }
}
