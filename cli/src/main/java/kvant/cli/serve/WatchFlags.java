package kvant.cli.serve;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import kvant.cli.log.LogSetup.LogStyle;
import kvant.cli.spans.SpanExport;
import kvant.server.Node;
import kvant.server.NodeOptions;
import kvant.server.accesslog.AccessLog.AccessLogOptions;
import kvant.server.accesslog.AccessLog.AccessLogOptions.AccessLogStyle;
import kvant.server.accesslog.AccessLog.LogRotation;
import kvant.server.service.SlowFeed;
import kvant.text.command.OptionGroups.Heading;
import kvant.text.command.SizeOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options for reporting requests.
@Heading("Watching")
final class WatchFlags {

    private static final int DEFAULT_SLOWER_THAN = 100;
    private static final int DEFAULT_QUEUE = 1024;
    private static final int LEAST_QUEUE = 16;
    private static final int MOST_QUEUE = 1 << 16;

    @Option(
            names = "--access-log",
            paramLabel = "FILE",
            description = "Write a line for each request, with its key, to this file. A file that was moved away is"
                    + " created again.")
    private @Nullable Path accessLog;

    @Option(
            names = "--access-log-format",
            paramLabel = "F",
            description = "Lines of the access log: text (combined format with more fields at the end), or json with an"
                    + " object per line (default: text).")
    private @Nullable LogStyle accessLogStyle;

    @Option(
            names = "--access-log-queue",
            paramLabel = "N",
            description = "Lines queued per event loop; more are dropped and counted" + " (default: "
                    + AccessLogOptions.DEFAULT_QUEUE + ").")
    private @Nullable Integer accessLogQueue;

    @Option(
            names = "--access-log-rotate",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Size at which the access log becomes FILE.1, and FILE.1 becomes FILE.2; 0 for no rotation"
                    + " (default: 256MiB).")
    private @Nullable Long accessLogRotate;

    @Option(names = "--access-log-keep", paramLabel = "N", description = "Rotated files kept (default: 4).")
    private @Nullable Integer accessLogKeep;

    @Option(
            names = "--otlp-endpoint",
            paramLabel = "URL",
            description = "Send spans of slow requests to this collector, by OTLP over HTTP, such as"
                    + " http://127.0.0.1:4318.")
    private @Nullable String otlpEndpoint;

    @Option(
            names = "--otlp-slower-than",
            paramLabel = "MS",
            description =
                    "Latency from which a request is slow, in milliseconds (default: " + DEFAULT_SLOWER_THAN + ").")
    private @Nullable Integer otlpSlowerThan;

    @Option(
            names = "--otlp-queue",
            paramLabel = "N",
            description = "Slow requests queued for the collector; more are dropped and counted" + " (default: "
                    + DEFAULT_QUEUE + ").")
    private @Nullable Integer otlpQueue;

    /// @throws IllegalArgumentException with a one-line reason
    NodeOptions applyTo(NodeOptions options) {
        return withSpans(withAccessLog(options));
    }

    /// Starts the export of spans if configured; otherwise loads none of its classes.
    @Nullable
    SpanExport export(NodeOptions options, Node node) {
        SlowFeed feed = options.slowFeed();
        return feed == null || otlpEndpoint == null
                ? null
                : SpanExport.start(otlpEndpoint, options.identity().version(), node.url(), feed, node::causesOf);
    }

    private NodeOptions withSpans(NodeOptions options) {
        if (otlpEndpoint == null) {
            if (otlpSlowerThan != null || otlpQueue != null) {
                throw new IllegalArgumentException("the options '--otlp-...' need '--otlp-endpoint URL'");
            }
            return options;
        }
        checkUrl(otlpEndpoint);
        int millis = otlpSlowerThan == null ? DEFAULT_SLOWER_THAN : otlpSlowerThan;
        int queue = otlpQueue == null ? DEFAULT_QUEUE : otlpQueue;
        if (millis < 0) {
            throw new IllegalArgumentException("'--otlp-slower-than' is 0 or more milliseconds, not " + millis);
        }
        if (queue < LEAST_QUEUE || queue > MOST_QUEUE) {
            throw new IllegalArgumentException(
                    "'--otlp-queue' is " + LEAST_QUEUE + " to " + MOST_QUEUE + " requests, not " + queue);
        }
        SlowFeed feed = new SlowFeed(TimeUnit.MILLISECONDS.toNanos(millis), queue);
        return options.with(o -> o.slowFeed = feed);
    }

    private static void checkUrl(String url) {
        try {
            URI uri = new URI(url);
            boolean known = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (known && uri.getHost() != null && uri.getUserInfo() == null && uri.getQuery() == null) {
                return;
            }
        } catch (URISyntaxException _) {
            // Reported below.
        }
        throw new IllegalArgumentException(
                "'--otlp-endpoint' is a URL such as http://127.0.0.1:4318, not '" + url + "'");
    }

    private NodeOptions withAccessLog(NodeOptions options) {
        Path file = accessLog;
        if (file == null) {
            if (accessLogStyle != null || accessLogQueue != null || accessLogRotate != null || accessLogKeep != null) {
                throw new IllegalArgumentException("the options '--access-log-...' need '--access-log FILE'");
            }
            return options;
        }
        AccessLogOptions log = new AccessLogOptions(
                file.toAbsolutePath(),
                accessLogStyle == LogStyle.JSON ? AccessLogStyle.JSON : AccessLogStyle.TEXT,
                accessLogQueue == null ? AccessLogOptions.DEFAULT_QUEUE : accessLogQueue,
                rotation());
        return options.with(o -> o.accessLog = log);
    }

    private LogRotation rotation() {
        LogRotation usual = LogRotation.DEFAULT;
        if (accessLogKeep != null && accessLogRotate != null && accessLogRotate == LogRotation.NEVER) {
            throw new IllegalArgumentException("'--access-log-keep' needs '--access-log-rotate SIZE'");
        }
        return new LogRotation(
                accessLogRotate == null ? usual.bytes() : accessLogRotate,
                accessLogKeep == null ? usual.keep() : accessLogKeep);
    }
}
