package kvant.cli.control;

import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/// The name of the socket, the same for both sides.
final class ControlSocket {

    static final String NAME = "control.sock";

    /// Tells the version of the protocol; begins each request.
    static final String GREETING = "kvant1 ";

    private ControlSocket() {}

    static Path path(Path data) {
        return data.resolve(NAME);
    }

    static UnixDomainSocketAddress address(Path data) {
        return UnixDomainSocketAddress.of(path(data));
    }
}
