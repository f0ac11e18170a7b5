package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import kvant.server.MemoryEngine;
import kvant.server.RespClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Mutated commands and random bytes: no exception, no hang, no memory kept, and the same replies however they are
/// split.
///
/// `-Dkvant.fuzz.seed` and `-Dkvant.fuzz.rounds` choose another or a longer run.
class RespFuzzTest {

    private static final long SEED = Long.getLong("kvant.fuzz.seed", 20261122);
    private static final int ROUNDS =
            Integer.getInteger("kvant.fuzz.rounds", Boolean.getBoolean("kvant.test.all") ? 10_000 : 2_500);
    private static final ResourceLeakDetector.Level LEVEL = ResourceLeakDetector.getLevel();
    private static final String[] COMMANDS = {
        "GET k", "SET k v", "SET k v EX 10 NX", "SET k w GET KEEPTTL", "MGET k a b", "MSET a 1 b 2", "DEL k a",
                "INCR n",
        "EXPIRE k 10", "PERSIST k", "TTL k", "SCAN 0 MATCH k* COUNT 5", "EXISTS k a", "STRLEN k", "PING", "ECHO x",
        "HELLO 3", "CLIENT SETNAME n", "COMMAND COUNT", "GET none", "SELECT 0", "QUIT", "NOTHING at all",
    };
    private static final String[] FRAGMENTS = {
        "\r\n",
        "\n",
        "\r",
        "*",
        "$",
        "*1\r\n",
        "$0\r\n\r\n",
        "$-1\r\n",
        "*-1\r\n",
        "*0\r\n",
        "*99999999999\r\n",
        "\"",
        "'",
        " ",
        "\0",
        "$5\r\n",
        "GET k\r\n",
        ":1\r\n",
        "_\r\n",
        "\u00ff",
        "$20000\r\n",
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
    void mutatedCommandsAreAnsweredOrRefusedTheSameWayHoweverSplit() {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = random.nextInt(10) == 0 ? anything(random) : mutate(conversation(random), random);
            if (bytes.length == 0) {
                continue;
            }
            int split = 1 + random.nextInt(bytes.length);
            String context = "seed " + SEED + ", round " + round + ", split at " + split + ": "
                    + new String(bytes, StandardCharsets.ISO_8859_1)
                            .replace("\r", "\\r")
                            .replace("\n", "\\n");
            assertThat(run(bytes, split, context)).as(context).isEqualTo(run(bytes, bytes.length, context));
        }
    }

    @Test
    void everySplitOfAConversationIsTheSame() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String command : COMMANDS) {
            all.writeBytes(RespClient.command(command));
        }
        byte[] bytes = all.toByteArray();
        String whole = run(bytes, bytes.length, "whole");
        assertThat(whole).contains("+PONG").contains("_\r\n");
        for (int split = 1; split < bytes.length; split++) {
            assertThat(run(bytes, split, "split")).as("split at " + split).isEqualTo(whole);
        }
    }

    private static String run(byte[] bytes, int split, String context) {
        MemoryEngine engine = MemoryEngine.inline();
        engine.load("k".getBytes(StandardCharsets.US_ASCII), "value".getBytes(StandardCharsets.US_ASCII));
        EmbeddedNode node = EmbeddedNode.ofResp(engine);
        String outcome;
        try (node) {
            node.send(bytes, 0, split);
            node.send(bytes, split, bytes.length);
            node.channel.checkException();
            outcome = node.answers(); // not what the engine was asked: updates that come together are one
        }
        assertThat(node.budget.claimedBytes()).as(context).isZero();
        assertThat(engine.openCursors()).as(context).isZero();
        return outcome;
    }

    private static byte[] conversation(Random random) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = random.nextInt(4); i >= 0; i--) {
            String command = COMMANDS[random.nextInt(COMMANDS.length)];
            all.writeBytes(
                    random.nextInt(5) == 0
                            ? (command + "\r\n").getBytes(StandardCharsets.ISO_8859_1)
                            : RespClient.command(command));
        }
        return all.toByteArray();
    }

    private static byte[] anything(Random random) {
        byte[] bytes = new byte[1 + random.nextInt(100)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] mutate(byte[] original, Random random) {
        String text = new String(original, StandardCharsets.ISO_8859_1);
        for (int i = random.nextInt(4); i > 0 && !text.isEmpty(); i--) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + 1 + random.nextInt(8));
            text = switch (random.nextInt(4)) {
                case 0 -> text.substring(0, at) + text.substring(end);
                case 1 -> text.substring(0, at) + FRAGMENTS[random.nextInt(FRAGMENTS.length)] + text.substring(at);
                case 2 -> text.substring(0, at) + (char) random.nextInt(256) + text.substring(at + 1);
                default -> text.substring(0, at) + text.substring(at, end) + text.substring(at);
            };
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
