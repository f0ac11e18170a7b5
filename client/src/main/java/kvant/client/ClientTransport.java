package kvant.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import kvant.client.Calls.ClientCall;
import org.jspecify.annotations.Nullable;

/// The parts that all calls of a client share: connections, the retry budget, and the building of requests. Any
/// thread.
final class ClientTransport {

    /// Control characters, and the ends of lines and paragraphs.
    private static final Pattern NOT_PRINTED = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]+");

    private final ClientOptions options;
    private final String node;
    private final HttpClient http;
    private final RetryBudget budget;
    private final Backoff backoff;

    ClientTransport(ClientOptions options) {
        this.options = options;
        this.node = options.node().toString().replaceFirst("/+$", "");
        this.budget = new RetryBudget(options.retryShare(), options.retryBurst());
        this.backoff = new Backoff(
                options.firstBackoff(),
                options.longestBackoff(),
                () -> ThreadLocalRandom.current().nextDouble());
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1) // else each new connection offers an upgrade
                .connectTimeout(options.connectTimeout());
        if (options.tls() != null) {
            builder.sslContext(options.tls());
        }
        this.http = builder.build();
    }

    ClientOptions options() {
        return options;
    }

    /// The node as named in messages.
    String node() {
        return node;
    }

    HttpClient http() {
        return http;
    }

    RetryBudget budget() {
        return budget;
    }

    Backoff backoff() {
        return backoff;
    }

    /// @param leftNanos until the deadline of the call; sent to the node, which drops a request it has not begun by
    ///     then
    HttpRequest request(ClientCall<?> call, LongSupplier leftNanos) {
        byte[] body = call.body();
        BodyPublisher publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(node + call.target())).method(call.method(), publisher);
        if (!call.headers().isEmpty()) {
            request.headers(call.headers().toArray(new String[0]));
        }
        Supplier<String> token = options.token();
        if (token != null) {
            request.header("Authorization", "Bearer " + BearerToken.checked(token.get(), "the supplier of the token"));
        }
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(leftNanos.getAsLong());
        return request.header("Kvant-Deadline-Millis", String.valueOf(Math.max(1, leftMillis)))
                .build();
    }

    /// A one-line reason of a failure; exceptions of the network often have no message but that of their cause.
    static String words(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                return oneLine(cause.getMessage());
            }
        }
        return failure == null ? "" : failure.getClass().getSimpleName();
    }

    /// Makes text safe for a one-line message: the peer can have answered anything.
    static String oneLine(String said) {
        return NOT_PRINTED.matcher(said).replaceAll(" ").strip();
    }

    /// The wait before an attempt. The whole wait is random (full jitter), so that clients that were refused together
    /// do not return together. The node's `Retry-After` is added to it.
    ///
    /// @param random from 0 to 1
    record Backoff(Duration first, Duration longest, DoubleSupplier random) {

        private static final int MOST_DOUBLINGS = 30;

        /// @param failures so far, 1 or more
        /// @param retryAfterSeconds requested by the node, or 0
        /// @return in nanoseconds
        long nanosAfter(int failures, long retryAfterSeconds) {
            long doubled = 1L << Math.min(MOST_DOUBLINGS, failures - 1);
            long ceiling = (long) Math.min((double) longest.toNanos(), (double) first.toNanos() * doubled);
            return Duration.ofSeconds(retryAfterSeconds).toNanos() + (long) (random.getAsDouble() * ceiling);
        }
    }

    /// A bound on retries over all calls of a client: each call adds a share of one, and a burst may be saved up. So
    /// a node that refuses everything is not sent several times as many requests. Any thread.
    static final class RetryBudget {

        private static final long ONE = 1_000_000;

        private final long share;
        private final long most;
        private final AtomicLong saved;

        RetryBudget(double share, int burst) {
            this.share = Math.round(share * ONE);
            this.most = burst * ONE + this.share;
            this.saved = new AtomicLong(burst * ONE);
        }

        void countCall() {
            saved.accumulateAndGet(share, (now, more) -> Math.min(most, now + more));
        }

        /// Takes one retry from the budget; false when none is left.
        boolean take() {
            return saved.getAndUpdate(now -> now >= ONE ? now - ONE : now) >= ONE;
        }
    }
}
