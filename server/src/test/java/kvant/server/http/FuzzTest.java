package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import kvant.server.MemoryEngine;
import kvant.server.WireCases;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Mutated requests: no exception, no hang, no memory kept, and still the same answers however they are
/// split.
///
/// `-Dkvant.fuzz.seed` and `-Dkvant.fuzz.rounds` choose another or a longer run.
class FuzzTest {

    private static final long SEED = Long.getLong("kvant.fuzz.seed", 20261121);
    private static final int ROUNDS =
            Integer.getInteger("kvant.fuzz.rounds", Boolean.getBoolean("kvant.test.all") ? 20_000 : 5_000);
    private static final int LONGEST = 4096;
    private static final ResourceLeakDetector.Level LEVEL = ResourceLeakDetector.getLevel();
    private static final String[] FRAGMENTS = {
        "\r\n",
        "\n",
        "\r",
        " ",
        "\t",
        "\0",
        ":",
        "0",
        "chunked",
        "Content-Length: 3\r\n",
        "%",
        "%00",
        "&id=x",
        "?",
        "Transfer-Encoding: chunked\r\n",
        "HTTP/1.1",
        "HTTP/1.0",
        "\u00ff",
        "Host: h\r\n",
        "5\r\n",
        "GET /v0/entity?id=k",
    };

    @BeforeAll
    static void trackLess() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
    }

    @AfterAll
    static void trackAgain() {
        ResourceLeakDetector.setLevel(LEVEL);
    }

    @Test
    void mutatedRequestsAreAnsweredOrRefusedTheSameWayHoweverSplit() {
        Random random = new Random(SEED);
        List<WireCases.Case> cases = WireCases.all().stream()
                .filter(wire -> wire.request().length <= LONGEST)
                .toList();
        for (int round = 0; round < ROUNDS; round++) {
            byte[] request = mutate(cases.get(random.nextInt(cases.size())).request(), random);
            int split = 1 + random.nextInt(request.length);
            String context = "seed " + SEED + ", round " + round + ": "
                    + new String(request, StandardCharsets.ISO_8859_1)
                            .replace("\r", "\\r")
                            .replace("\n", "\\n");
            String whole = run(request, request.length, context);
            assertThat(run(request, split, context))
                    .as(context + " split at " + split)
                    .isEqualTo(whole);
        }
    }

    private static String run(byte[] request, int split, String context) {
        MemoryEngine engine = MemoryEngine.inline();
        engine.load("k".getBytes(StandardCharsets.US_ASCII), "value".getBytes(StandardCharsets.US_ASCII));
        EmbeddedNode node = new EmbeddedNode(engine);
        String outcome;
        try (node) {
            node.send(request, 0, split);
            node.send(request, split, request.length);
            node.channel.checkException();
            // A refusal may leave before its body turns out to be malformed; then it could not announce the
            // close.
            outcome = node.answers().replace("Connection: close\r\n", "") + engine.calls();
        }
        assertThat(node.budget.claimedBytes()).as(context).isZero();
        assertThat(engine.openCursors()).as(context).isZero();
        return outcome;
    }

    private static byte[] mutate(byte[] original, Random random) {
        byte[] bytes = original;
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(bytes.length);
            bytes = switch (random.nextInt(5)) {
                case 0 -> flip(bytes, at, random);
                case 1 -> splice(bytes, at, at + 1, new byte[0]);
                case 2 ->
                    splice(
                            bytes,
                            at,
                            at,
                            FRAGMENTS[random.nextInt(FRAGMENTS.length)].getBytes(StandardCharsets.ISO_8859_1));
                case 3 -> splice(bytes, at, at, Arrays.copyOfRange(bytes, random.nextInt(at + 1), at));
                default -> splice(bytes, at, at + random.nextInt(Math.min(8, bytes.length - at)) + 1, new byte[0]);
            };
            if (bytes.length == 0) {
                bytes = original;
            }
        }
        return bytes;
    }

    private static byte[] flip(byte[] bytes, int at, Random random) {
        byte[] flipped = bytes.clone();
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        return flipped;
    }

    private static byte[] splice(byte[] bytes, int from, int to, byte[] with) {
        int end = Math.min(to, bytes.length);
        byte[] spliced = new byte[bytes.length - (end - from) + with.length];
        System.arraycopy(bytes, 0, spliced, 0, from);
        System.arraycopy(with, 0, spliced, from, with.length);
        System.arraycopy(bytes, end, spliced, from + with.length, bytes.length - end);
        return spliced;
    }
}
