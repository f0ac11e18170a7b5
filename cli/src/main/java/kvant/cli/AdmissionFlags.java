package kvant.cli;

import java.time.Duration;
import kvant.server.NodeOptions;
import kvant.server.http.HttpLimits;
import kvant.server.service.AdmissionOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `kvant serve` that say how much the node takes on. One that is not given is null, and what it
/// then means is decided by the node.
final class AdmissionFlags {

    private static final long MIB = 1 << 20;

    @Option(
            names = "--admission.connections",
            paramLabel = "N",
            description = "Open connections; more wait in the kernel's backlog (default: 19000).")
    private @Nullable Integer connections;

    @Option(
            names = "--admission.in-flight",
            paramLabel = "N",
            description =
                    "Requests between read and answered, all connections together; more get 503 (default: 32768).")
    private @Nullable Integer inFlight;

    @Option(
            names = "--admission.queued-mib",
            paramLabel = "N",
            description = "Memory of request bodies that wait; more get 503 (default: a quarter of the heap).")
    private @Nullable Integer queuedMib;

    @Option(
            names = "--admission.deadline",
            paramLabel = "MS",
            description =
                    "How long a request may wait to be begun, unless its header Kvant-Deadline-Millis says so; then it"
                            + " gets 503 and is not executed. 0 for no deadline (default: 10000).")
    private @Nullable Integer deadlineMillis;

    @Option(
            names = "--admission.target-delay",
            paramLabel = "MS",
            description =
                    "How long a request may wait for a worker while a queue has been standing for 100 ms; then it gets"
                            + " 503. 0 for no such control (default: 5; executor async: 0).")
    private @Nullable Integer targetDelayMillis;

    @Option(
            names = "--admission.adaptive",
            description = "Bound requests in flight also by how their times change (a gradient limit).")
    private boolean adaptive;

    /// @throws IllegalArgumentException saying in one line what is wrong
    NodeOptions applyTo(NodeOptions options) {
        HttpLimits limits = options.limits();
        limits = connections == null ? limits : limits.withMaxConnections(connections);
        limits = inFlight == null ? limits : limits.withMaxInFlight(inFlight);
        limits = queuedMib == null ? limits : limits.withMaxBufferedBodyBytes(queuedMib * MIB);
        AdmissionOptions admission = options.admission().withAdaptive(adaptive);
        admission = deadlineMillis == null ? admission : admission.withDeadline(Duration.ofMillis(deadlineMillis));
        admission =
                targetDelayMillis == null ? admission : admission.withTargetDelay(Duration.ofMillis(targetDelayMillis));
        return options.withLimits(limits).withAdmission(admission);
    }
}
