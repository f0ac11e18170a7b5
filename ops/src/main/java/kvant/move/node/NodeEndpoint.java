package kvant.move.node;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import kvant.client.Batch;
import kvant.client.ClientOptions;
import kvant.client.Condition;
import kvant.client.Key;
import kvant.client.KvantClient;
import kvant.client.KvantException;
import kvant.client.Problem;
import kvant.client.PutOptions;
import kvant.client.RangeCursor;
import kvant.client.RangeQuery;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.engine.kit.Completion;
import kvant.move.copy.Endpoint;
import org.jspecify.annotations.Nullable;

/// A store served by a node. The client sends each request only once, because a copy retries by itself. Any thread may
/// write; a cursor belongs to one thread.
///
/// An expiry is sent as a time to live: whole seconds, rounded up and counted from the arrival of the request. A value
/// therefore lives longer by up to a second plus the transmission time, and never shorter, unless the remaining time
/// exceeds the node's maximum. Values that have already expired are left out.
public final class NodeEndpoint implements Endpoint {

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
    /// Time limit for a write, and for each record of a range; longer than a node lets any request wait.
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
    /// Records in one batch, which the node commits as a whole.
    private static final int BATCH_RECORDS = 1000;

    private static final int BAD_REQUEST = 400;
    private static final int TIMEOUT = 408;
    private static final int TOO_LARGE = 413;
    private static final int MISDIRECTED = 421;
    private static final int SERVER_ERROR = 500;
    private static final int UNSUPPORTED = 501;
    private static final int BUSY = 503;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final int FULL = 507;

    private static final long MILLIS_PER_SECOND = 1000;
    private static final Duration GONE = Duration.ZERO;

    private final String url;
    private final KvantClient client;
    private final InstantSource clock;

    /// @param login sets the client's credentials and the certificates it accepts from the node
    NodeEndpoint(String url, Consumer<ClientOptions.Draft> login, InstantSource clock) {
        this.url = url;
        this.clock = clock;
        this.client = KvantClient.of(ClientOptions.of(URI.create(url)).with(o -> {
            o.deadline = ANSWER_LIMIT;
            o.connectTimeout = CONNECT_LIMIT;
            o.tries = 1;
            login.accept(o);
        }));
    }

    /// @param url such as `http://127.0.0.1:8080`
    /// @param login sets the client's credentials and the certificates it accepts from the node
    /// @throws EngineException.CannotOpen when no node answers at this address
    public static NodeEndpoint open(String url, Consumer<ClientOptions.Draft> login) {
        NodeEndpoint endpoint = new NodeEndpoint(url.replaceFirst("/+$", ""), login, InstantSource.system());
        endpoint.refuseOtherServers();
        return endpoint;
    }

    private void refuseOtherServers() {
        try (RangeCursor first = range(NodeCursor.LEAST, 1)) {
            first.next();
        } catch (KvantException e) {
            int status = e.problem().map(Problem::status).orElse(0);
            if (status == MISDIRECTED) {
                throw new EngineException.CannotOpen("the node at " + url + " does not serve that name: use its IP"
                        + " address or localhost, or start it with --allowed-hosts");
            }
            if (status >= BAD_REQUEST && status < SERVER_ERROR) {
                throw new EngineException.CannotOpen(
                        url + " answered " + status + " to /v0/entities: is it the URL of a node of Kvant?");
            }
            if (e.problem().map(problem -> problem.type().isEmpty()).orElse(true)) {
                throw new EngineException.CannotOpen(String.valueOf(failure(e).getMessage()), e);
            } // any other failure: it is a node, and busy
        }
    }

    @Override
    public String name() {
        return "node " + url;
    }

    @Override
    public Cursor scan(byte[] from) {
        return new NodeCursor(this, from);
    }

    RangeCursor range(Key from, long limit) {
        return client.range(RangeQuery.from(from).limit(limit));
    }

    @Override
    public int writeRecords() {
        return BATCH_RECORDS;
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public void submit(Write write) {
        CompletableFuture<?> sent;
        try {
            sent = send(write.batch().mutations());
        } catch (IllegalArgumentException e) { // larger than a node accepts
            sent = CompletableFuture.failedFuture(new EngineException.Unsupported(String.valueOf(e.getMessage())));
        }
        sent.whenComplete((_, failure) -> {
            if (failure == null) {
                write.applied(0); // the node's version is not used here
            } else {
                write.failed(failure(failure));
            }
            Completion.deliver(write);
        });
    }

    private CompletableFuture<?> send(List<Mutation> mutations) {
        Batch batch = new Batch();
        for (Mutation mutation : mutations) {
            Key key = Key.of(mutation.key());
            switch (mutation) {
                case Mutation.Delete _
                when mutations.size() == 1 -> {
                    return client.async().delete(key, Condition.none());
                }
                case Mutation.Delete _ -> batch.delete(key);
                case Mutation.Put put -> {
                    Duration life = life(put);
                    if (mutations.size() == 1 && life != GONE) {
                        PutOptions options = new PutOptions(Condition.none(), Optional.ofNullable(life));
                        return client.async().put(key, put.value(), options);
                    }
                    add(batch, key, put.value(), life);
                }
            }
        }
        return batch.operations() == 0
                ? CompletableFuture.completedFuture(null)
                : client.async().write(batch);
    }

    private static void add(Batch batch, Key key, byte[] value, @Nullable Duration life) {
        if (life == null) {
            batch.put(key, value);
        } else if (life != GONE) {
            batch.put(key, value, life);
        }
    }

    /// @return null if the value never expires
    private @Nullable Duration life(Mutation.Put put) {
        if (put.expiresAtMillis() == Mutation.Put.NEVER) {
            return null;
        }
        long left = put.expiresAtMillis() - clock.millis();
        long seconds = left / MILLIS_PER_SECOND + (left % MILLIS_PER_SECOND == 0 ? 0 : 1);
        return left <= 0 ? GONE : Duration.ofSeconds(Math.min(seconds, Mutation.Put.MAX_LIFE_SECONDS));
    }

    /// Translates a refusal or a missing reply into an exception of the engine port.
    EngineException failure(Throwable failure) {
        return switch (failure) {
            case EngineException known -> known;
            case KvantException refused
            when refused.problem().isPresent() -> refusal(refused.problem().get());
            case KvantException.OutcomeUnknown _ -> new EngineException.OutcomeUnknown(unreachable(failure));
            case KvantException.Unavailable _, KvantException.DeadlinePassed _ ->
                new EngineException.Unavailable(unreachable(failure));
            default -> new EngineException.Io(unreachable(failure), failure);
        };
    }

    private static EngineException refusal(Problem problem) {
        String text =
                "the node answered " + problem.status() + (problem.detail().isEmpty() ? "" : ": " + problem.detail());
        return switch (problem.status()) {
            case UNSUPPORTED, TOO_LARGE -> new EngineException.Unsupported(text);
            case FULL -> new EngineException.StorageFull(text);
            case BUSY ->
                problem.is("writes-stopped") ? new EngineException.LogFailed(text) : new EngineException.Busy(text);
            case GATEWAY_TIMEOUT ->
                problem.is("replicas-unavailable")
                        ? new EngineException.Unavailable(text)
                        : new EngineException.OutcomeUnknown(text);
            case TIMEOUT -> new EngineException.OutcomeUnknown(text);
            default -> new EngineException.Io(text, null);
        };
    }

    /// Network exceptions often have no message of their own, only a cause with one.
    private String unreachable(Throwable failure) {
        Throwable cause = failure.getCause();
        while (cause != null && cause.getMessage() == null) {
            cause = cause.getCause();
        }
        return "cannot reach " + url + ": " + (cause == null ? "nothing listens there" : cause.getMessage());
    }

    @Override
    public void close() {
        // The client has no resources that need closing.
    }
}
