package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A node that comes and goes is logged, but not each time.
class NodeWatchTest {

    private record Address(String name) implements EndPoint {
        @Override
        public SocketAddress resolve() {
            return InetSocketAddress.createUnresolved(name, 9042);
        }

        @Override
        public String asMetricPrefix() {
            return name;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final List<String> logged = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private final NodeWatch watch = new NodeWatch(() -> now, (level, line) -> logged.add(level + " " + line));
    private final Node first = node("first");
    private final Node second = node("second");

    @BeforeEach
    void open() {
        watch.opened();
    }

    /// Where the session cannot be opened at all, its exception is the one thing to say.
    @Test
    void aSessionThatIsNotOpenYetIsSilentAndThenNamesWhoDidNotAnswer() {
        NodeWatch opening = new NodeWatch(() -> now, (level, line) -> logged.add(level + " " + line));
        opening.onDown(first);
        opening.onDown(second);
        opening.onUp(second);
        assertThat(logged).isEmpty();

        opening.opened();
        opening.onUp(first);

        assertThat(logged)
                .containsExactly(
                        "WARNING first does not answer: other nodes of the cluster serve for it",
                        "INFO first answers again");
    }

    @Test
    void whatGoesDownAndComesBackIsLoggedOnceEach() {
        watch.onDown(first);
        watch.onUp(first);
        watch.onUp(first);
        assertThat(logged)
                .containsExactly(
                        "WARNING first does not answer: other nodes of the cluster serve for it",
                        "INFO first answers again");
    }

    @Test
    void whatComesAndGoesIsLoggedOnceAMinute() {
        for (int i = 0; i < 59; i++) {
            watch.onDown(first);
            watch.onUp(first);
            now = now.plusSeconds(1);
        }
        assertThat(logged).hasSize(2);
        now = now.plus(Duration.ofSeconds(1));
        watch.onDown(first);
        assertThat(logged).hasSize(3);
    }

    @Test
    void eachNodeHasItsOwnMinute() {
        watch.onDown(first);
        watch.onDown(second);
        assertThat(logged).hasSize(2);
    }

    @Test
    void aNodeThatWasNeverDownIsNotWorthALine() {
        watch.onUp(first);
        assertThat(logged).isEmpty();
    }

    private static Node node(String name) {
        return (Node)
                Proxy.newProxyInstance(Node.class.getClassLoader(), new Class<?>[] {Node.class}, (_, method, _) -> {
                    assertThat(method.getName()).isEqualTo("getEndPoint");
                    return new Address(name);
                });
    }
}
