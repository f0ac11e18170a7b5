package kvant.prove;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import kvant.prove.stage.Violation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxyTrialTest {

    private static final String SERVED = "127.0.0.1 - - [22/Nov/2026:17:20:05 +0000] \"GET /v0/entity?id=k HTTP/1.1\" ";

    @TempDir
    Path folder;

    @Test
    void aRequestThatTheProxyHasNotSeenIsAViolation() throws Exception {
        Path seen = folder.resolve("seen.log");
        Path served = folder.resolve("served.log");
        Files.writeString(seen, "\"/v0/entity?id=k\" 200 \n\"/readyz\" 200 \n\"/v0/entity?id=%\" - \n\"/\" 502 \n");
        Files.writeString(served, SERVED + "200 90 \"-\" \"-\" 9\n" + SERVED + "499 0 \"-\" \"-\" 123 read=18\n");
        assertThatCode(() -> ProxyTrial.agree(seen, served, 0)).doesNotThrowAnyException();

        Files.writeString(served, (SERVED + "200 90 \"-\" \"-\" 9\n").repeat(2));
        assertThatThrownBy(() -> ProxyTrial.agree(seen, served, 0))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("the proxy had answers for 1 requests, the node gave 2");
    }
}
