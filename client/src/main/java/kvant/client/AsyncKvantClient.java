package kvant.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// The calls of a [KvantClient] without a thread that waits. A future fails with a [KvantException]; cancelling it
/// gives the call up, and a write may have been applied all the same. Any thread.
public final class AsyncKvantClient {

    private final ClientTransport transport;
    private final Calls calls;
    private final long timeNanos;

    AsyncKvantClient(ClientTransport transport, Duration deadline) {
        this.transport = transport;
        this.calls = new Calls(transport.options().maxAnswerBytes());
        this.timeNanos = deadline.toNanos();
    }

    /// The value of a key, if it has one.
    public CompletableFuture<Optional<Value>> get(Key key) {
        return Attempts.start(transport, calls.get(key), timeNanos);
    }

    /// Returns length and version of a value without reading it.
    public CompletableFuture<Optional<Description>> describe(Key key) {
        return Attempts.start(transport, calls.describe(key), timeNanos);
    }

    /// @param value is not copied: leave it as it is until the future is done
    /// @return the version of this write
    public CompletableFuture<Version> put(Key key, byte[] value, PutOptions options) {
        return Attempts.start(transport, calls.put(key, value, options), timeNanos);
    }

    /// Also where the key has no value.
    public CompletableFuture<Void> delete(Key key, Condition condition) {
        return Attempts.start(transport, calls.delete(key, condition), timeNanos);
    }

    /// Applies all of a batch, or nothing of it.
    public CompletableFuture<Void> write(Batch batch) {
        return Attempts.start(transport, calls.write(batch), timeNanos);
    }

    RangeCursor range(RangeQuery query) {
        return new RangeCursor(transport, calls, timeNanos, query);
    }
}
