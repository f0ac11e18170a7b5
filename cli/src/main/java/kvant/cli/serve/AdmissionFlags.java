package kvant.cli.serve;

import java.time.Duration;
import kvant.server.NodeOptions;
import kvant.text.command.OptionGroups.Heading;
import kvant.text.command.SizeOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `kvant serve` for admission control. An option that is not given is null, and the node's default
/// applies.
@Heading("Admission")
final class AdmissionFlags {

    @Option(
            names = "--admission.connections",
            paramLabel = "N",
            description = "Open connections; when full, the connection idle longest is closed"
                    + " (default: 19000, fewer with little memory or few file descriptors).")
    private @Nullable Integer connections;

    @Option(
            names = "--admission.connections-per-address",
            paramLabel = "N",
            description = "Open connections of one client address; more are closed; 0 for no limit (default: 0).")
    private @Nullable Integer connectionsPerAddress;

    @Option(
            names = "--admission.in-flight",
            paramLabel = "N",
            description =
                    "Requests between read and answered, all connections together; more get 503 (default: 32768).")
    private @Nullable Integer inFlight;

    @Option(
            names = "--admission.followers",
            paramLabel = "N",
            description = "Clients of /v0/changes at a time; more get 503 (default: 64).")
    private @Nullable Integer followers;

    @Option(
            names = "--admission.queued",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Memory of waiting request bodies; more get 503 (default: a quarter of the heap).")
    private @Nullable Long queued;

    @Option(
            names = "--admission.deadline",
            paramLabel = "MS",
            description =
                    "Longest wait of a request before it runs, unless its header Kvant-Deadline-Millis has one; then"
                            + " it gets 503 and is not executed; 0 for no limit (default: 10000).")
    private @Nullable Integer deadlineMillis;

    @Option(
            names = "--admission.target-delay",
            paramLabel = "MS",
            description =
                    "Longest wait for a worker while a queue has been standing for 100 ms, then 503; 0 switches this"
                            + " off (default: 5; executor async: 0).")
    private @Nullable Integer targetDelayMillis;

    @Option(
            names = "--admission.adaptive",
            description = "Limit requests in flight by the trend of their latency too (gradient limit).")
    private boolean adaptive;

    /// @throws IllegalArgumentException with a one-line reason
    NodeOptions applyTo(NodeOptions options) {
        return options.with(o -> {
            o.maxFollowers = followers == null ? o.maxFollowers : followers;
            o.limits = o.limits.with(l -> {
                l.maxConnections = connections == null ? l.maxConnections : connections;
                l.maxConnectionsPerAddress =
                        connectionsPerAddress == null ? l.maxConnectionsPerAddress : connectionsPerAddress;
                l.maxInFlight = inFlight == null ? l.maxInFlight : inFlight;
                l.maxBufferedBodyBytes = queued == null ? l.maxBufferedBodyBytes : queued;
            });
            o.admission = o.admission.with(a -> {
                a.adaptive = adaptive;
                a.deadline = deadlineMillis == null ? a.deadline : Duration.ofMillis(deadlineMillis);
                a.targetDelay = targetDelayMillis == null ? a.targetDelay : Duration.ofMillis(targetDelayMillis);
            });
        });
    }
}
