package kvant.cli.serve;

import java.nio.file.Path;
import kvant.cli.log.LogStyle;
import kvant.server.NodeOptions;
import kvant.server.accesslog.AccessLogOptions;
import kvant.server.accesslog.AccessLogStyle;
import kvant.text.command.Heading;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where a node tells of its requests.
@Heading("Watching")
final class WatchFlags {

    @Option(
            names = "--access-log",
            paramLabel = "FILE",
            description = "Write a line for each request to this file, also with its key. Who moves the file away gets"
                    + " a new one in its place.")
    private @Nullable Path accessLog;

    @Option(
            names = "--access-log-format",
            paramLabel = "F",
            description = "Its lines: text (the combined format of web servers, and more behind it), or json, an object"
                    + " a line (default: text).")
    private @Nullable LogStyle accessLogStyle;

    @Option(
            names = "--access-log-queue",
            paramLabel = "N",
            description = "Lines that an event loop may be ahead of the file; what is more is left out and counted"
                    + " (default: " + AccessLogOptions.DEFAULT_QUEUE + ").")
    private @Nullable Integer accessLogQueue;

    /// @throws IllegalArgumentException saying in one line what is wrong
    NodeOptions applyTo(NodeOptions options) {
        Path file = accessLog;
        if (file == null) {
            if (accessLogStyle != null || accessLogQueue != null) {
                throw new IllegalArgumentException("the options '--access-log-...' need '--access-log FILE'");
            }
            return options;
        }
        AccessLogOptions log = new AccessLogOptions(
                file.toAbsolutePath(),
                accessLogStyle == LogStyle.JSON ? AccessLogStyle.JSON : AccessLogStyle.TEXT,
                accessLogQueue == null ? AccessLogOptions.DEFAULT_QUEUE : accessLogQueue);
        return options.with(o -> o.accessLog = log);
    }
}
