package kvant.cli.serve;

import kvant.server.NodeOptions;
import kvant.text.command.OptionGroups.Heading;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The port for clients of Redis.
@Heading("Node")
final class RespFlags {

    @Option(
            names = "--resp-port",
            paramLabel = "P",
            description = "Port for RESP, the protocol of Redis, on the same address; 0 for any free one"
                    + " (default: none).")
    private @Nullable Integer respPort;

    /// @throws IllegalArgumentException saying in one line what is wrong
    NodeOptions applyTo(NodeOptions options) {
        Integer port = respPort;
        if (port == null) {
            return options;
        }
        if (port < 0) {
            throw new IllegalArgumentException("the port for RESP is 0 to 65535, not " + port);
        }
        return options.with(o -> o.respPort = port);
    }
}
