package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.server.MemoryEngine;
import kvant.server.RespClient;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Mutated commands, words at the edges of what they may be, and random bytes: no exception, here or in a log, no hang,
/// no memory kept, and the same replies however they are split.
///
/// `-Dkvant.fuzz.seed` and `-Dkvant.fuzz.rounds` choose another or a longer run.
class RespFuzzTest {

    private static final long SEED = Long.getLong("kvant.fuzz.seed", 20261122);
    private static final int ROUNDS =
            Integer.getInteger("kvant.fuzz.rounds", Boolean.getBoolean("kvant.test.all") ? 10_000 : 2_500);
    private static final int MOST_BYTES = 100_000;
    private static final HttpLimits LIMITS = HttpLimits.defaults().with(l -> l.maxBodyBytes = MOST_BYTES);
    private static final ResourceLeakDetector.Level LEVEL = ResourceLeakDetector.getLevel();
    private static final String[] COMMANDS = {
        "GET k",
        "SET k v",
        "SET k v EX 10 NX",
        "SET k w GET KEEPTTL",
        "MGET k a b",
        "MSET a 1 b 2",
        "DEL k a",
        "INCR n",
        "EXPIRE k 10",
        "PERSIST k",
        "TTL k",
        "SCAN 0 MATCH k* COUNT 5",
        "EXISTS k a",
        "STRLEN k",
        "PING",
        "ECHO x",
        "HELLO 3",
        "CLIENT SETNAME n",
        "COMMAND COUNT",
        "GET none",
        "SELECT 0",
        "QUIT",
        "NOTHING at all",
        "MULTI",
        "EXEC",
        "RESET",
        "EVAL x 0",
    };

    /// A question mark stands for any word.
    private static final String[] FORMS = {
        "GET ?",
        "SET k ?",
        "SET ? v",
        "SET k v EX ?",
        "SET k v PXAT ?",
        "SETEX k ? v",
        "GETSET k ?",
        "GETEX k PX ?",
        "MSET k ? ? v",
        "MGET k ?",
        "DEL k ?",
        "STRLEN ?",
        "INCRBY n ?",
        "DECRBY n ?",
        "EXPIRE k ?",
        "PEXPIRE k ?",
        "EXPIREAT k ?",
        "TTL ?",
        "SCAN ?",
        "SCAN 0 MATCH ?",
        "SCAN 0 COUNT ?",
        "SCAN 0 TYPE ?",
        "ECHO ?",
        "CLIENT SETNAME ?",
        "HELLO ?",
        "COMMAND INFO ?",
        "INFO ?",
        "SELECT ?",
    };

    /// Beyond those of `COMMAND LIST`.
    private static final String[] NOT_THERE = {"multi", "exec", "discard", "watch", "eval", "script", "append", ""};
    private static final String[] EDGES = {
        "",
        "k",
        "n",
        "0",
        "-0",
        "-1",
        "1e400",
        "nan",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "99999999999999999999",
        "65536",
        "[",
        "[^",
        "[\\",
        "[a-",
        "*\\",
        "\\",
        "\r\n",
        "\0",
        "\u00ff\u00fe",
        "k".repeat(65_536),
        "k".repeat(65_537),
        "v".repeat(MOST_BYTES),
        "v".repeat(MOST_BYTES + 1),
        "*".repeat(300),
    };
    private static final String[] OPTIONS = {
        "EX",
        "PX",
        "EXAT",
        "PXAT",
        "NX",
        "XX",
        "GT",
        "LT",
        "GET",
        "KEEPTTL",
        "PERSIST",
        "MATCH",
        "COUNT",
        "TYPE",
        "SETNAME",
        "AUTH",
        "INFO",
        "SETINFO",
        "LIB-NAME",
        "LIST",
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

    /// Commands in good order with any words.
    @Test
    void wordsAtTheEdgesAreTakenOrRefused() {
        List<String> names = new ArrayList<>(List.of(NOT_THERE));
        Matcher known = Pattern.compile("\r\n([a-z]+)\r\n").matcher(run(RespClient.command("COMMAND LIST"), 1, "list"));
        while (known.find()) {
            names.add(known.group(1));
        }
        assertThat(names).contains("pexpiretime", "reset");
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            StringBuilder context = new StringBuilder("seed " + SEED + ", round " + round);
            for (int i = random.nextInt(4); i >= 0; i--) {
                byte[][] command = edges(random, names);
                all.writeBytes(RespClient.command(command));
                context.append(';');
                for (byte[] word : command) {
                    context.append(' ').append(new String(word, 0, Math.min(word.length, 30), StandardCharsets.UTF_8));
                }
            }
            byte[] bytes = all.toByteArray();
            run(bytes, 1 + random.nextInt(bytes.length), context.toString());
        }
    }

    private static byte[][] edges(Random random, List<String> names) {
        if (random.nextBoolean()) {
            return Stream.of(FORMS[random.nextInt(FORMS.length)].split(" "))
                    .map(word -> bytes(word.equals("?") ? EDGES[random.nextInt(EDGES.length)] : word))
                    .toArray(byte[][]::new);
        }
        byte[][] words = new byte[1 + random.nextInt(7)][];
        words[0] = bytes(names.get(random.nextInt(names.size())));
        for (int i = 1; i < words.length; i++) {
            String[] from = i > 1 && random.nextBoolean() ? OPTIONS : EDGES;
            words[i] = bytes(from[random.nextInt(from.length)]);
        }
        return words;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
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
        EmbeddedNode node = EmbeddedNode.ofResp(engine, LIMITS);
        String outcome;
        try (node;
                Complaints log = new Complaints()) {
            node.send(bytes, 0, split);
            node.send(bytes, split, bytes.length);
            node.channel.checkException();
            outcome = node.answers(); // not what the engine was asked: updates that come together are one
            assertThat(log.lines).as(context).isEmpty();
        }
        assertThat(outcome).as(context).doesNotContain("failed to carry out");
        assertThat(node.budget.claimedBytes()).as(context).isZero();
        assertThat(engine.openCursors()).as(context).isZero();
        return outcome;
    }

    /// Warnings and errors that the node logs.
    private static final class Complaints extends Handler implements AutoCloseable {

        private static final Logger LOGGER = Logger.getLogger("kvant");

        private final List<String> lines = new ArrayList<>();

        Complaints() {
            LOGGER.addHandler(this);
        }

        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                lines.add(line.getMessage() + " " + line.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            LOGGER.removeHandler(this);
        }
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
