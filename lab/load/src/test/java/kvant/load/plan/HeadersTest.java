package kvant.load.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import kvant.load.http.Target;
import kvant.load.workload.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which header fields may be given.
class HeadersTest {

    private static LoadPlan with(String... headers) {
        Pace pace = Pace.closed(Duration.ofSeconds(1));
        return LoadPlan.of(Target.parse("http://h"), Workload.plain("GET"), Clients.defaults(), pace)
                .with(p -> p.headers = List.of(headers));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Content-Length: 7", "content-length:7", "Transfer-Encoding: chunked", "Upgrade: websocket"})
    void whatTheGeneratorWritesItselfIsRefused(String header) {
        assertThatThrownBy(() -> with("X: y", header))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no header to choose");
    }

    @Test
    void whatServersRefuseTwiceIsSentOnce() {
        assertThatThrownBy(() -> with("Host: a", "HOST: b")).hasMessage("the header 'host' is there twice");
        assertThatThrownBy(() -> with("Authorization: a", "authorization: b")).hasMessageContaining("is there twice");
    }

    @Test
    void othersAreFree() {
        assertThat(with("Host: a", "Connection: close", "Expect: 100-continue", "X: 1", "X: 2")
                        .headers())
                .hasSize(5);
    }
}
