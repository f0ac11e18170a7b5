package kvant.load.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseParserTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void aLineInPiecesIsKeptAsFarAsItIsLong() {
        byte[] answer = bytes("HTTP/1.1 200 OK\r\nX-Long: " + "x".repeat(32_000) + "\r\nContent-Length: 2\r\n\r\nok");
        List<byte[]> pieces = new ArrayList<>();
        for (int at = 0; at < answer.length; at += 100) {
            pieces.add(Arrays.copyOfRange(answer, at, Math.min(answer.length, at + 100)));
        }
        assertThat(parse(pieces)).containsExactly("200 ok");

        byte[] endless = bytes("HTTP/1.1 200 OK\r\nX-Long: " + "x".repeat(33_000));
        assertThat(parse(List.of(Arrays.copyOf(endless, 9000), Arrays.copyOfRange(endless, 9000, endless.length))))
                .containsExactly("garbage");
    }

    /// There are as many as connections, and these may be tens of thousands.
    @Test
    void oneThatWaitsHoldsLittle() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ResponseParser[] parsers = new ResponseParser[1000];
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < parsers.length; i++) {
            parsers[i] = new ResponseParser();
        }
        long each = (threads.getCurrentThreadAllocatedBytes() - before) / parsers.length;

        assertThat(each).isBetween(1L, 1024L);
    }

    /// The answers that a parser finds in a stream, one line each.
    private static List<String> parse(List<byte[]> pieces) {
        ResponseParser parser = new ResponseParser();
        List<String> answers = new ArrayList<>();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            int at = 0;
            while (at < piece.length) {
                at = parser.feed(piece, at, piece.length, (bytes, from, to) -> body.write(bytes, from, to - from));
                if (at == ResponseParser.GARBAGE) {
                    answers.add("garbage");
                    return answers;
                }
                if (parser.isDone()) {
                    assertThat(parser.bodyBytes()).isEqualTo(body.size());
                    answers.add(parser.status() + " " + body.toString(StandardCharsets.ISO_8859_1)
                            + (parser.closes() ? " closes" : ""));
                    body.reset();
                }
            }
        }
        if (parser.end()) {
            answers.add(parser.status() + " " + body.toString(StandardCharsets.ISO_8859_1) + " ended");
        }
        return answers;
    }

    private static final String STREAM = "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\n\r\nhello"
            + "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length:0\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
            + "A;x=y\r\n0123456789\r\n0\r\nT: z\r\n\r\n"
            + "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 N\r\nContent-Length: 77\r\n\r\n"
            + "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno";

    private static final List<String> ANSWERS =
            List.of("200 hello", "201 ", "200 abc0123456789", "204 ", "304 ", "404 no closes");

    @Test
    void theSameAnswersWhereverTheStreamIsSplitInTwo() {
        byte[] stream = bytes(STREAM);
        for (int cut = 0; cut <= stream.length; cut++) {
            byte[] first = Arrays.copyOfRange(stream, 0, cut);
            byte[] second = Arrays.copyOfRange(stream, cut, stream.length);

            assertThat(parse(List.of(first, second))).as("cut at %d", cut).isEqualTo(ANSWERS);
        }
    }

    @Test
    void theSameAnswersByteByByte() {
        List<byte[]> pieces = new ArrayList<>();
        for (byte one : bytes(STREAM)) {
            pieces.add(new byte[] {one});
        }

        assertThat(parse(pieces)).isEqualTo(ANSWERS);
    }

    @Test
    void theLastCodingDecides() {
        for (String codings : new String[] {"chunked", " gzip, chunked", "gzip,CHUNKED \t"}) {
            assertThat(parse(List.of(
                            bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding:" + codings + "\r\n\r\n1\r\nx\r\n0\r\n\r\n"))))
                    .as(codings)
                    .containsExactly("200 x");
        }
    }

    @Test
    void aBodyWithoutALengthEndsWithTheConnection() {
        assertThat(parse(List.of(bytes("HTTP/1.1 200 OK\r\n\r\nsome"), bytes("thing"))))
                .containsExactly("200 something ended");
    }

    @Test
    void http10ClosesUnlessItSaysOtherwise() {
        assertThat(parse(List.of(bytes("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx"))))
                .containsExactly("200 x closes");
        assertThat(parse(List.of(bytes("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\nx"))))
                .containsExactly("200 x");
    }

    @Test
    void aWordInConnectionIsAWholeOne() {
        String answer = "HTTP/1.1 200 OK\r\nConnection: %s\r\nContent-Length: 1\r\n\r\nx";
        for (String closing : new String[] {"close", "Close", "x, close", "close , x"}) {
            assertThat(parse(List.of(bytes(answer.formatted(closing)))))
                    .as(closing)
                    .containsExactly("200 x closes");
        }
        assertThat(parse(List.of(bytes(answer.formatted("enclosed, x-close"))))).containsExactly("200 x");
    }

    @Test
    void codingsOfABodyThatIsNotThereDoNotMatter() {
        assertThat(parse(List.of(bytes("HTTP/1.1 304 N\r\nTransfer-Encoding: gzip\r\nContent-Length: 3\r\n\r\n"))))
                .containsExactly("304 ");
        assertThat(parse(List.of(bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
                        + "\r\n1\r\nx\r\n0\r\n\r\n"))))
                .as("one list in two lines")
                .containsExactly("200 x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
                "SSH-2.0-OpenSSH_9.2\r\n",
                "HTTP/2 200\r\n\r\n",
                "HTTP/1.1 2x0 OK\r\n\r\n",
                "HTTP/1.1 99 No\r\n\r\n",
                "HTTP/1.1 600 No\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 200 OK\nContent-Length: 00\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: unchunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n"
            })
    void garbageIsNotAnAnswer(String stream) {
        List<byte[]> whole = List.of(bytes(stream));
        List<byte[]> single = new ArrayList<>();
        for (byte one : bytes(stream)) {
            single.add(new byte[] {one});
        }

        assertThat(parse(whole)).containsExactly("garbage");
        assertThat(parse(single)).containsExactly("garbage");
    }

    @Test
    void aHeadWithoutEndIsGarbageBeforeItFillsTheMemory() {
        List<byte[]> pieces = new ArrayList<>();
        pieces.add(bytes("HTTP/1.1 200 OK\r\n"));
        for (int i = 0; i < 10_000; i++) {
            pieces.add(bytes("X: " + "y".repeat(100) + "\r\n"));
        }

        assertThat(parse(pieces)).containsExactly("garbage");
        assertThat(parse(List.of(bytes("HTTP/1.1 200 OK\r\nX: " + "y".repeat(33_000)))))
                .containsExactly("garbage");
    }
}
