package kvant.client;

import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The settings of a client.
///
///     URI node = URI.create("https://store.example:8443");
///     ClientOptions options = ClientOptions.of(node).with(o -> {
///         o.token = BearerToken.file(Path.of("app.token")); // read again when it changes
///         o.tls = Trust.only(Path.of("ca.pem"));
///         o.deadline = Duration.ofSeconds(2);
///     });
///
/// @param node scheme, host and port; a path before those of the API where a proxy adds one
/// @param deadline of a call, over all its attempts and the waits between them; see [KvantClient#within]
/// @param connectTimeout of one attempt, for its connection
/// @param tries most attempts of one call, including the first
/// @param firstBackoff longest wait before the second attempt; it doubles with each further one
/// @param longestBackoff upper bound of that growth
/// @param retryShare most retries per call, averaged over many calls: bounds the extra load on a node that refuses
///     everything
/// @param retryBurst retries that may be made at once, regardless of the share
/// @param maxAnswerBytes of a value, or of a record of a range; a longer one is an error
/// @param token asked for before each attempt, the first time on the caller's thread; null for none
/// @param tls trusted nodes and the client's own certificate; null for the defaults of the JVM
public record ClientOptions(
        URI node,
        Duration deadline,
        Duration connectTimeout,
        int tries,
        Duration firstBackoff,
        Duration longestBackoff,
        double retryShare,
        int retryBurst,
        int maxAnswerBytes,
        @Nullable Supplier<String> token,
        @Nullable SSLContext tls) {

    public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(10);
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);
    public static final int DEFAULT_TRIES = 4;
    public static final Duration DEFAULT_FIRST_BACKOFF = Duration.ofMillis(50);
    public static final Duration DEFAULT_LONGEST_BACKOFF = Duration.ofSeconds(2);
    public static final double DEFAULT_RETRY_SHARE = 0.1;
    public static final int DEFAULT_RETRY_BURST = 10;
    public static final int DEFAULT_MAX_ANSWER_BYTES = 64 << 20;

    private static final int MOST = 1_000;
    private static final Duration LONGEST = Duration.ofSeconds(1_000_000);

    public ClientOptions {
        if (node.getHost() == null
                || node.getScheme() == null
                || !node.getScheme().matches("https?")
                || node.getRawUserInfo() != null
                || node.getRawQuery() != null
                || node.getRawFragment() != null) {
            throw new IllegalArgumentException("a node is http://HOST:PORT or https://HOST:PORT, not " + node);
        }
        positive(deadline, "the deadline");
        positive(connectTimeout, "the connect timeout");
        positive(firstBackoff, "the first backoff");
        positive(longestBackoff, "the longest backoff");
        if (tries < 1 || tries > MOST) {
            throw new IllegalArgumentException("the number of tries is 1 to " + MOST + ", not " + tries);
        }
        if (!(retryShare >= 0 && retryShare <= 1)) {
            throw new IllegalArgumentException("the share of tries again is 0 to 1, not " + retryShare);
        }
        if (retryBurst < 0 || retryBurst > MOST) {
            throw new IllegalArgumentException("the burst of tries again is 0 to " + MOST + ", not " + retryBurst);
        }
        if (maxAnswerBytes < 1) {
            throw new IllegalArgumentException("the longest answer is 1 byte or more, not " + maxAnswerBytes);
        }
    }

    static void positive(Duration value, String name) {
        if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    name + " is more than 0, and at most " + LONGEST.toSeconds() + " s, not " + value);
        }
    }

    public static ClientOptions of(URI node) {
        return new Draft(node).options();
    }

    /// These options with some changed.
    public ClientOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /// Options in the making; begins with the defaults.
    public static final class Draft {

        public URI node;
        public Duration deadline = DEFAULT_DEADLINE;
        public Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
        public int tries = DEFAULT_TRIES;
        public Duration firstBackoff = DEFAULT_FIRST_BACKOFF;
        public Duration longestBackoff = DEFAULT_LONGEST_BACKOFF;
        public double retryShare = DEFAULT_RETRY_SHARE;
        public int retryBurst = DEFAULT_RETRY_BURST;
        public int maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES;
        public @Nullable Supplier<String> token;
        public @Nullable SSLContext tls;

        private Draft(URI node) {
            this.node = node;
        }

        private Draft(ClientOptions options) {
            node = options.node;
            deadline = options.deadline;
            connectTimeout = options.connectTimeout;
            tries = options.tries;
            firstBackoff = options.firstBackoff;
            longestBackoff = options.longestBackoff;
            retryShare = options.retryShare;
            retryBurst = options.retryBurst;
            maxAnswerBytes = options.maxAnswerBytes;
            token = options.token;
            tls = options.tls;
        }

        private ClientOptions options() {
            return new ClientOptions(
                    node,
                    deadline,
                    connectTimeout,
                    tries,
                    firstBackoff,
                    longestBackoff,
                    retryShare,
                    retryBurst,
                    maxAnswerBytes,
                    token,
                    tls);
        }
    }
}
