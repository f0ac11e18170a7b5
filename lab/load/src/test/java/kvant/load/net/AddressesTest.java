package kvant.load.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;

/// A server on one of the addresses of its name is found.
class AddressesTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private static InetSocketAddress at(String ip, int port) throws Exception {
        return new InetSocketAddress(InetAddress.getByName(ip), port);
    }

    private static InetSocketAddress found(List<InetSocketAddress> all) {
        return Addresses.reachable(all, LONG, () -> false);
    }

    @Test
    void theAddressThatTakesConnectionsIsFound() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            InetSocketAddress there = at("127.0.0.1", server.getLocalPort());
            InetSocketAddress six = at("::1", server.getLocalPort());

            assertThat(found(List.of(six, there))).isEqualTo(there);
            assertThat(found(List.of(there, six))).isEqualTo(there);
        }
    }

    @Test
    void whereNoneTakesAConnectionEachIsNamed() throws Exception {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            port = gone.getLocalPort();
        }
        List<InetSocketAddress> both = List.of(at("::1", port), at("127.0.0.1", port));

        assertThatThrownBy(() -> found(both))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll(
                        "[0:0:0:0:0:0:0:1]:" + port + ": ", "127.0.0.1:" + port + ": Connection refused");
    }

    @Test
    void aSingleAddressIsNotTried() throws Exception {
        InetSocketAddress only = at("127.0.0.1", 1);

        assertThat(found(List.of(only))).isSameAs(only);
    }
}
