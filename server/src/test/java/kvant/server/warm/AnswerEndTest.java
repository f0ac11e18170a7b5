package kvant.server.warm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import kvant.server.warm.LoopbackClient.AnswerEnd;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerEndTest {

    /// Cut at every place.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nvalue",
                "HTTP/1.1 201 Created\r\nContent-Length: 0\r\nETag: \"1\"\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\nETag: \"1\"\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            })
    void anAnswerIsWholeWithItsLastByte(String answer) {
        AnswerEnd end = new AnswerEnd();
        for (int cut = 0; cut < answer.length(); cut++) {
            end.begin();
            assertThat(end.isWhole(bytes(answer.substring(0, cut)), cut))
                    .as("first %d bytes", cut)
                    .isFalse();
            assertThat(end.isWhole(bytes(answer.substring(cut)), answer.length() - cut))
                    .as("the rest after %d", cut)
                    .isTrue();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
