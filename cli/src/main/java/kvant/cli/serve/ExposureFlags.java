package kvant.cli.serve;

import java.util.List;
import kvant.server.NodeOptions;
import kvant.server.NodeOptions.LivePageKind;
import kvant.text.command.OptionGroups.Heading;
import picocli.CommandLine.Option;

/// The names under which a node answers, and the information it exposes on its port.
@Heading(ExposureFlags.HEADING)
final class ExposureFlags {

    static final String HEADING = "Exposure";

    @Option(
            names = "--allowed-hosts",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Host names of the node, separated by commas, besides IP addresses and localhost; requests with"
                            + " another name get 421. Default: any, if --host is not loopback.")
    private List<String> allowedHosts = List.of();

    @Option(
            names = "--cors-origin",
            split = ",",
            paramLabel = "ORIGIN",
            description =
                    "Origins, separated by commas, whose pages may read and write keys from a browser (CORS), such as"
                            + " https://app.example.")
    private List<String> corsOrigins = List.of();

    @Option(
            names = "--debug-page",
            description =
                    "Serve /debug/slow, which shows keys, to every client of the port; 'kvant slow --data' needs no"
                            + " such page.")
    private boolean debugPage;

    @Option(
            names = "--ui",
            paramLabel = "KIND",
            description =
                    "Live page /ui: keys (figures, and a browser of keys and values), figures, or off. auto is keys,"
                            + " but figures with an --admin-port (default: auto).")
    private LivePageKind livePage = LivePageKind.AUTO;

    @Option(names = "--unknown-path-400", description = "Answer unknown paths with 400 instead of 404.")
    private boolean strictPaths;

    /// @throws IllegalArgumentException with a one-line reason
    NodeOptions applyTo(NodeOptions options) {
        return options.with(o -> {
            o.allowedHosts = allowedHosts;
            o.corsOrigins = corsOrigins;
            o.slowPage = debugPage;
            o.livePage = livePage;
            o.strictPaths = strictPaths;
        });
    }
}
