package kvant.cli.serve;

import kvant.server.NodeOptions;
import kvant.server.resp.ScriptLimits;
import kvant.text.command.OptionGroups.Heading;
import kvant.text.command.SizeOption;
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

    @Option(
            names = "--resp-script-steps",
            paramLabel = "N",
            description = "Instructions of one script (EVAL); a script with more is stopped and writes nothing"
                    + " (default: 1000000).")
    private @Nullable Long scriptSteps;

    @Option(
            names = "--resp-script-memory",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Memory that one script allocates in total, likewise (default: 16MiB).")
    private @Nullable Long scriptBytes;

    @Option(
            names = "--resp-script-time",
            paramLabel = "MS",
            description = "Run time of one script, likewise (default: 1000).")
    private @Nullable Long scriptMillis;

    /// @throws IllegalArgumentException with a one-line reason
    NodeOptions applyTo(NodeOptions options) {
        Integer port = respPort;
        if (port != null && port < 0) {
            throw new IllegalArgumentException("the port for RESP is 0 to 65535, not " + port);
        }
        return options.with(o -> {
            o.respPort = port == null ? o.respPort : port;
            o.script = new ScriptLimits(
                    scriptSteps == null ? o.script.steps() : scriptSteps,
                    scriptBytes == null ? o.script.bytes() : scriptBytes,
                    scriptMillis == null ? o.script.millis() : scriptMillis);
        });
    }
}
