package kvant.cli.serve;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import kvant.server.AccessOptions;
import kvant.server.Node;
import kvant.server.NodeOptions;
import kvant.server.access.InvalidFileException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Who may ask a node for what. No option takes a secret: those of processes are for everybody to read.
final class AccessFlags {

    @Option(
            names = "--tokens",
            paramLabel = "FILE",
            description = "Tokens and what each allows, a line each as 'kvant token new' prints it; who has none may"
                    + " only ask whether the node lives. Read again when it changes.")
    private @Nullable Path tokens;

    @Option(
            names = "--insecure-no-authentication",
            description = "Allow a --host that other machines can reach although there are no --tokens and everyone"
                    + " there may read and write.")
    private boolean insecureNoAuthentication;

    /// @throws IllegalArgumentException saying in one line what is wrong
    NodeOptions applyTo(NodeOptions options) {
        return options.with(o -> o.access = AccessOptions.none().with(a -> a.tokens = tokens));
    }

    /// Looks whether the node may listen where it is told to, and reads the files.
    ///
    /// @throws IllegalArgumentException saying in one line what is wrong
    void check(NodeOptions options) {
        refuseExposure(options.host());
        try {
            Node.tryFiles(options);
        } catch (InvalidFileException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /// Without authentication, anyone who can reach a node can delete its data.
    private void refuseExposure(String host) {
        if (tokens == null && !insecureNoAuthentication && !isLoopback(host)) {
            throw new IllegalArgumentException("'--host " + host + "' can be reached from other machines, and nobody"
                    + " has to say who he is: give --tokens FILE ('kvant token new' makes one), or accept the risk"
                    + " with --insecure-no-authentication");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return true; // not reachable; the node reports what is wrong with it
        }
    }
}
