package kvant.load.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import kvant.load.http.AnswerReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers of other servers: whole, cut at any place, and hostile.
class ReadersTest {

    private static final byte[] VALUE = new byte[300];

    static {
        new Random(5).nextBytes(VALUE);
    }

    /// One answer as the listener got it.
    private record Heard(int status, String value) {}

    private static final class Listener implements AnswerReader.BodyListener {

        private final AnswerReader reader;
        private final boolean read;
        private final ByteArrayOutputStream value = new ByteArrayOutputStream();

        Listener(AnswerReader reader, boolean read) {
            this.reader = reader;
            this.read = read;
        }

        @Override
        public void body(byte[] bytes, int from, int to) {
            assertThat(reader.bodyBytes()).as("the place of what comes").isEqualTo(value.size());
            value.write(bytes, from, to - from);
        }

        @Override
        public boolean isRead() {
            return read;
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// Feeds pieces of some bytes; ends at garbage with the status 0.
    private static List<Heard> heard(AnswerReader reader, boolean read, String text, int piece) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        List<Heard> answers = new ArrayList<>();
        Listener listener = new Listener(reader, read);
        int at = 0;
        while (at < bytes.length) {
            int end = Math.min(bytes.length, at + piece);
            while (at < end) {
                at = reader.feed(bytes, at, end, listener);
                if (at == AnswerReader.GARBAGE) {
                    assertThat(reader.complaint()).isNotBlank();
                    answers.add(new Heard(0, ""));
                    return answers;
                }
                if (reader.isDone()) {
                    assertThat(reader.bodyBytes()).isEqualTo(listener.value.size());
                    answers.add(new Heard(reader.status(), text(listener.value.toByteArray())));
                    listener = new Listener(reader, read);
                }
            }
        }
        return answers;
    }

    private static String http(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static String chunked(String body) {
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(body.length()) + "\r\n"
                + body + "\r\n0\r\n\r\n";
    }

    private static String record(byte[] value) {
        return "{\"header\":{\"cluster_id\":\"14\",\"revision\":\"2\"},"
                + "\"kvs\":[{\"key\":\"azAw\",\"version\":\"1\",\"value\":\""
                + Base64.getEncoder().encodeToString(value) + "\"}],\"count\":\"1\"}";
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 10_000})
    void redisIsReadInPiecesOfAnySize(int piece) {
        String value = text(VALUE);
        String text = "+OK\r\n$300\r\n" + value + "\r\n$-1\r\n:12\r\n-ERR wrong kind\r\n$0\r\n\r\n_\r\n:-3\r\n+OK\r\n";
        assertThat(heard(new RespReader(), true, text, piece))
                .containsExactly(
                        new Heard(200, ""),
                        new Heard(200, value),
                        new Heard(404, ""),
                        new Heard(200, ""),
                        new Heard(500, ""),
                        new Heard(200, ""),
                        new Heard(404, ""),
                        new Heard(200, ""),
                        new Heard(200, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\n",
                "*1\r\n$1\r\na\r\n",
                "$\r\n",
                "$-2\r\n",
                "$x\r\n",
                "$1x\r\n",
                "$3\r\nabcd\r\n",
                "$3\r\nabc\rx",
                "$536870913\r\n",
                "$99999999999999999999999\r\n",
                ":\r\n",
                ":1\n",
                "+OK\rx",
                "_x\r\n"
            })
    void whatIsNoAnswerOfRedisIsGarbage(String text) {
        for (int piece : new int[] {1, 100}) {
            assertThat(heard(new RespReader(), true, text, piece)).containsExactly(new Heard(0, ""));
        }
    }

    @Test
    void aLineWithoutEndIsGarbage() {
        assertThat(heard(new RespReader(), true, "-" + "x".repeat(20_000), 1000))
                .containsExactly(new Heard(0, ""));
    }

    @Test
    void anAnswerOfRedisThatIsCutIsNoAnswerAndANewConnectionBeginsAnew() {
        RespReader reader = new RespReader();
        assertThat(heard(reader, true, "$300\r\n" + "x".repeat(200), 50)).isEmpty();
        assertThat(reader.end()).isFalse();
        reader.reset();
        assertThat(heard(reader, true, "+OK\r\n", 50)).containsExactly(new Heard(200, ""));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 31, 10_000})
    void etcdIsReadInPiecesOfAnySize(int piece) {
        String absent = "{\"header\":{\"revision\":\"2\"}}";
        String text = http(record(VALUE)) + http(absent) + chunked(record(new byte[] {'-'})) + http(record(VALUE));
        assertThat(heard(new EtcdReader(), true, text, piece))
                .containsExactly(
                        new Heard(200, text(VALUE)),
                        new Heard(404, ""),
                        new Heard(200, "-"),
                        new Heard(200, text(VALUE)));
    }

    /// The decoder has room for less than that.
    @Test
    void aLongValueOfEtcdIsDecodedInParts() {
        byte[] value = new byte[100_001];
        new Random(6).nextBytes(value);
        assertThat(heard(new EtcdReader(), true, http(record(value)), 60_000))
                .containsExactly(new Heard(200, text(value)));
    }

    @Test
    void aPutToEtcdNeedsNoRecordInItsAnswer() {
        assertThat(heard(new EtcdReader(), false, http("{\"header\":{}}"), 9)).containsExactly(new Heard(200, ""));
        String refused = "HTTP/1.1 500 X\r\nContent-Length: 2\r\n\r\n{}";
        assertThat(heard(new EtcdReader(), true, refused, 9)).containsExactly(new Heard(500, ""));
    }

    @ParameterizedTest
    @CsvSource({"true,200", "false,500"})
    void whatRedisRefusedIsNoAcknowledgementOfWebdis(boolean read, int status) {
        String refused = "-OOM command not allowed";
        String text = http("+OK") + http(refused) + http("+OK");
        assertThat(heard(new WebdisReader(), read, text, 4).stream().map(Heard::status))
                .containsExactly(200, status, 200);
    }

    @Test
    void webdisSaysValuesAsTheyAre() {
        String text = http(text(VALUE)) + "HTTP/1.1 404 Not found\r\nContent-Length: 9\r\n\r\nNot found";
        assertThat(heard(new WebdisReader(), true, text, 11))
                .containsExactly(new Heard(200, text(VALUE)), new Heard(404, "Not found"));
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void bytesOfChanceNeverThrow(Dialect dialect) {
        Random random = new Random(7);
        for (int run = 0; run < 2000; run++) {
            AnswerReader reader = dialect.reader(false);
            byte[] bytes = mutated(random, dialect);
            int at = 0;
            while (at >= 0 && at < bytes.length) {
                int end = Math.min(bytes.length, at + 1 + random.nextInt(40));
                int next = reader.feed(bytes, at, end, (_, _, _) -> {});
                assertThat(next == AnswerReader.GARBAGE || (next > at && next <= end))
                        .as("run %d", run)
                        .isTrue();
                at = next;
            }
        }
    }

    private static byte[] mutated(Random random, Dialect dialect) {
        String whole = dialect == Dialect.RESP ? "$5\r\nabcde\r\n+OK\r\n$-1\r\n" : http(record(VALUE)) + http("+OK");
        byte[] bytes = whole.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    /// A word that begins like itself must be found where it begins inside of a failed attempt.
    @Test
    void aMarkerIsFoundInPiecesOfAnySize() {
        byte[] bytes = "xx\"value\"value\":\"rest".getBytes(StandardCharsets.ISO_8859_1);
        for (int piece = 1; piece <= bytes.length; piece++) {
            Marker marker = new Marker("\"value\":\"");
            int at = 0;
            while (!marker.isFound() && at < bytes.length) {
                at = marker.feed(bytes, at, Math.min(bytes.length, at + piece));
            }
            assertThat(marker.isFound()).isTrue();
            assertThat(at).isEqualTo("xx\"value\"value\":\"".length());
        }
    }
}
