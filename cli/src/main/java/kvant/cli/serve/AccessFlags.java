package kvant.cli.serve;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import kvant.server.AccessOptions;
import kvant.server.Node;
import kvant.server.NodeOptions;
import kvant.server.access.InvalidFileException;
import kvant.server.http.tls.TlsContext.TlsFiles;
import kvant.text.command.OptionGroups.Heading;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Access control of a node. No option takes a secret, because any user can read the arguments of processes.
@Heading("Access")
final class AccessFlags {

    private static final String TLS_1_2 = "1.2";
    private static final String TLS_1_3 = "1.3";

    @Option(
            names = "--tokens",
            paramLabel = "FILE",
            description =
                    "File of tokens and their scopes, in lines that 'kvant token new' prints; requests without a token"
                            + " get only /livez, /readyz and /v0/status. Read again when it changes.")
    private @Nullable Path tokens;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Serve TLS with this certificate chain (PEM). Read again when it changes.")
    private @Nullable Path certificates;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "Key of the certificate (PEM, PKCS#8, without a password).")
    private @Nullable Path key;

    @Option(
            names = "--tls-client-ca",
            paramLabel = "FILE",
            description = "Require client certificates signed by these authorities (PEM).")
    private @Nullable Path clientAuthorities;

    @Option(
            names = "--tls-oldest",
            paramLabel = "VERSION",
            description = "Oldest TLS version accepted: 1.3 or 1.2 (default: 1.3).")
    private @Nullable String oldestTls;

    @Option(
            names = "--admin-port",
            paramLabel = "P",
            description = "Separate port for metrics and pages about the node; 0 for any free one.")
    private @Nullable Integer adminPort;

    @Option(names = "--admin-host", paramLabel = "H", description = "Address of --admin-port (default: 127.0.0.1).")
    private @Nullable String adminHost;

    @Option(
            names = "--admin-socket",
            paramLabel = "PATH",
            description = "Unix socket for metrics and pages about the node, for its own user, without a token.")
    private @Nullable Path adminSocket;

    @Option(
            names = "--insecure-no-authentication",
            description =
                    "Allow a --host beyond loopback without --tokens or --tls-client-ca: every client may read and"
                            + " write.")
    private boolean insecureNoAuthentication;

    /// @throws IllegalArgumentException with a one-line reason
    NodeOptions applyTo(NodeOptions options) {
        if (adminHost != null && adminPort == null) {
            throw new IllegalArgumentException("'--admin-host' needs '--admin-port'");
        }
        if (adminPort != null && adminPort < 0) {
            throw new IllegalArgumentException("the administrative port is 0 to 65535, not " + adminPort);
        }
        TlsFiles tls = tls();
        return options.with(o -> o.access = o.access.with(a -> {
            a.tokens = tokens;
            a.tls = tls;
            a.adminHost = adminHost == null ? a.adminHost : adminHost;
            a.adminPort = adminPort == null ? AccessOptions.NO_PORT : adminPort;
            a.adminSocket = adminSocket;
        }));
    }

    private @Nullable TlsFiles tls() {
        if (oldestTls != null && !oldestTls.equals(TLS_1_2) && !oldestTls.equals(TLS_1_3)) {
            throw new IllegalArgumentException("'--tls-oldest' is 1.3 or 1.2, not '" + oldestTls + "'");
        }
        if (certificates != null && key != null) {
            return new TlsFiles(certificates, key, clientAuthorities, TLS_1_2.equals(oldestTls));
        }
        if (certificates != null || key != null) {
            throw new IllegalArgumentException("'--tls-cert' and '--tls-key' need each other");
        }
        if (clientAuthorities != null || oldestTls != null) {
            throw new IllegalArgumentException("the options '--tls...' need '--tls-cert' and '--tls-key'");
        }
        return null;
    }

    /// Checks whether the node may listen on its addresses, and reads the files.
    ///
    /// @throws IllegalArgumentException with a one-line reason
    void check(NodeOptions options) {
        if (!options.access().authenticates() && !insecureNoAuthentication) {
            refuseExposure("--host", options.host());
            refuseExposure("--admin-host", options.access().adminHost());
        }
        try {
            Node.tryFiles(options);
        } catch (InvalidFileException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /// Why secrets of clients are not safe on the network, or null.
    @Nullable
    String warning(NodeOptions options) {
        AccessOptions who = options.access();
        boolean admin = who.adminPort() != AccessOptions.NO_PORT && !isLoopback(who.adminHost());
        return who.tokens() == null || who.tls() != null || isLoopback(options.host()) && !admin
                ? null
                : "tokens and data cross the network unencrypted: give --tls-cert and --tls-key, or listen on 127.0.0.1"
                        + " behind a proxy that has them";
    }

    /// Without authentication, anyone who can reach a node can delete its data.
    private static void refuseExposure(String option, String host) {
        if (!isLoopback(host)) {
            throw new IllegalArgumentException("'" + option + " " + host + "' can be reached from other machines, and"
                    + " there is no authentication: give --tokens FILE ('kvant token new' makes one) or"
                    + " --tls-client-ca FILE, or accept the risk with --insecure-no-authentication");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return true; // unusable address; the node reports the reason
        }
    }
}
