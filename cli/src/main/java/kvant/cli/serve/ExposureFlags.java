package kvant.cli.serve;

import java.util.List;
import kvant.server.NodeOptions;
import kvant.server.NodeOptions.LivePageKind;
import kvant.text.command.OptionGroups.Heading;
import picocli.CommandLine.Option;

/// Which names a node answers to, and what it shows on its port.
@Heading(ExposureFlags.HEADING)
final class ExposureFlags {

    static final String HEADING = "Exposure";

    @Option(
            names = "--allowed-hosts",
            split = ",",
            paramLabel = "NAME",
            description = "Names, separated by commas, under which clients may reach the node, besides IP addresses and"
                    + " localhost; others get 421. Without it, an address other than a loopback takes any.")
    private List<String> allowedHosts = List.of();

    @Option(
            names = "--cors-origin",
            split = ",",
            paramLabel = "ORIGIN",
            description = "Origins, separated by commas, whose pages may read and write keys in the browsers of their"
                    + " visitors (CORS), each as https://app.example; none unless it is given.")
    private List<String> corsOrigins = List.of();

    @Option(
            names = "--debug-page",
            description = "Serve /debug/slow, which shows keys, to whoever reaches the port; 'kvant slow --data' does"
                    + " without.")
    private boolean debugPage;

    @Option(
            names = "--ui",
            paramLabel = "KIND",
            description =
                    "What the live page /ui has: keys (figures, and a browser of keys and values), figures, or off"
                            + " for no page. auto is keys, but figures where there is an --admin-port (default: auto).")
    private LivePageKind livePage = LivePageKind.AUTO;

    @Option(names = "--unknown-path-400", description = "Answer 400 to a path where nothing is, and not 404.")
    private boolean strictPaths;

    /// @throws IllegalArgumentException saying in one line what is wrong
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
