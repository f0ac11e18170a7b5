package kvant.client;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// A client of one node. Any thread may use it, and one is enough for a program.
///
///     KvantClient client = KvantClient.of(URI.create("http://127.0.0.1:8080"));
///     Version version = client.put(Key.of("user:1"), "Ada".getBytes(UTF_8));
///     Optional<Value> value = client.get(Key.of("user:1"));
///
/// A call has one deadline over all its attempts. It is retried when nothing was executed, or when a second execution
/// does no harm: a read, a batch, and a put or delete without a condition. A conditional write is not retried after a
/// lost answer; it ends in a [KvantException.OutcomeUnknown]. Retries share a budget. See docs/clients.md for the
/// details.
///
/// There is nothing to close: idle connections end by themselves, and threads end once the client is unreachable.
public final class KvantClient {

    private final ClientTransport transport;
    private final AsyncKvantClient async;

    private KvantClient(ClientTransport transport, Duration deadline) {
        this.transport = transport;
        this.async = new AsyncKvantClient(transport, deadline);
    }

    public static KvantClient of(URI node) {
        return of(ClientOptions.of(node));
    }

    public static KvantClient of(ClientOptions options) {
        return new KvantClient(new ClientTransport(options), options.deadline());
    }

    /// The same client with another deadline for each call; connections and budget are shared.
    public KvantClient within(Duration deadline) {
        ClientOptions.positive(deadline, "the deadline");
        return new KvantClient(transport, deadline);
    }

    /// The same calls without a thread that waits.
    public AsyncKvantClient async() {
        return async;
    }

    /// The value of a key, if it has one.
    public Optional<Value> get(Key key) {
        return await(async.get(key));
    }

    /// Returns length and version of a value without reading it.
    public Optional<Description> describe(Key key) {
        return await(async.describe(key));
    }

    /// @return the version of this write
    public Version put(Key key, byte[] value) {
        return put(key, value, PutOptions.defaults());
    }

    /// @return the version of this write
    public Version put(Key key, byte[] value, PutOptions options) {
        return await(async.put(key, value, options));
    }

    /// Also where the key has no value.
    public void delete(Key key) {
        delete(key, Condition.none());
    }

    public void delete(Key key, Condition condition) {
        await(async.delete(key, condition));
    }

    /// Applies all of a batch, or nothing of it.
    public void write(Batch batch) {
        await(async.write(batch));
    }

    /// The records of a range. Nothing is asked for until the cursor is moved.
    public RangeCursor range(RangeQuery query) {
        return async.range(query);
    }

    /// Waits for a result. Stack traces are those of the caller, because those of the HTTP client's threads mean
    /// nothing to it.
    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new KvantException.Interrupted("interrupted while a node was asked", null, e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof RuntimeException failure) {
                failure.fillInStackTrace();
                throw failure;
            }
            throw new IllegalStateException(cause);
        }
    }
}
