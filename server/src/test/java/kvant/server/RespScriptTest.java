package kvant.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import kvant.server.admit.AdmissionOptions;
import kvant.server.resp.ScriptLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `EVAL` and what goes with it, at a node.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RespScriptTest {

    private static final String UNLOCK =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

    @TempDir
    Path folder;

    private final String reader = TokenSecret.generate(new SecureRandom());
    private final String writer = TokenSecret.generate(new SecureRandom());
    private final String both = TokenSecret.generate(new SecureRandom());
    private LocalEngine engine;
    private Node node;
    private RespClient client;

    @BeforeEach
    void start() throws Exception {
        engine = LsmEngine.open(folder.resolve("data"), LsmOptions.defaults().withDurability(Durability.parse("none")));
        node = open(false);
        client = new RespClient(node.respPort());
    }

    private Node open(boolean tokens) throws StartException {
        return Node.start(
                NodeOptions.defaults().with(o -> {
                    o.port = 0;
                    o.respPort = 0;
                    o.eventLoops = 2; // two connections on loops of their own
                    o.admission = AdmissionOptions.none();
                    o.script = new ScriptLimits(200_000, 1 << 20, 20_000);
                    if (tokens) {
                        o.access = o.access.with(a -> a.tokens = folder.resolve("tokens"));
                    }
                }),
                engine);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        node.close();
        engine.close();
    }

    private static String eval(RespClient asker, String command, String script, List<String> keys, String... arguments)
            throws IOException {
        return asker.ask(Stream.of(
                        Stream.of(command, script, Integer.toString(keys.size())), keys.stream(), Stream.of(arguments))
                .flatMap(words -> words)
                .map(word -> word.getBytes(ISO_8859_1))
                .toArray(byte[][]::new));
    }

    private String eval(String script, List<String> keys, String... arguments) throws IOException {
        return eval(client, "EVAL", script, keys, arguments);
    }

    @Test
    void itReadsAndWritesTheKeysThatItDeclares() throws IOException {
        assertThat(client.ask("SET lock me")).isEqualTo("+OK");
        assertThat(eval(UNLOCK, List.of("lock"), "other")).isEqualTo(":0");
        assertThat(eval(UNLOCK, List.of("lock"), "me")).isEqualTo(":1");
        assertThat(client.ask("GET lock")).isEqualTo("nil");
        String script = "redis.call('SET', KEYS[1], ARGV[1], 'PX', 60000) redis.call('INCRBY', KEYS[2], 7)"
                + " return {redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2]), redis.call('PTTL', KEYS[1]),"
                + " redis.call('EXISTS', KEYS[1], KEYS[2])}";
        assertThat(eval(script, List.of("a", "b"), "v")).isEqualTo("[\"v\", \"7\", :60000, :2]");
        assertThat(client.ask("MGET a b")).isEqualTo("[\"v\", \"7\"]");
    }

    @Test
    void otherKeysAreRefusedAsInACluster() throws IOException {
        String refusal = "-ERR Script attempted to access a non local key in a cluster node script: ";
        assertThat(eval("return redis.call('GET', 'k')", List.of())).startsWith(refusal);
        assertThat(eval("redis.call('SET', KEYS[1], 1) redis.call('MSET', KEYS[1], 1, 'other', 2)", List.of("k")))
                .startsWith(refusal);
        assertThat(client.ask("MGET k other")).isEqualTo("[nil, nil]");
    }

    @Test
    void commandsOfAConnectionAreNotForScripts() throws IOException {
        for (String command :
                List.of("AUTH", "HELLO", "MULTI", "EXEC", "CLIENT", "QUIT", "RESET", "SCAN", "SELECT", "WATCH")) {
            assertThat(eval("return redis.call('" + command + "', '2')", List.of()))
                    .as(command)
                    .matches("-ERR (This Redis command is not allowed|Wrong number of args|Script attempted).*");
        }
        assertThat(eval("return redis.call('EVAL', 'return 1', 0)", List.of())).startsWith("-ERR This Redis command");
        assertThat(eval("return redis.call('HSET', KEYS[1], 'f', 1)", List.of("k")))
                .startsWith("-ERR Unknown Redis command");
        assertThat(eval("return redis.call('PING')", List.of())).isEqualTo("+PONG");
        String time = "local t = redis.call('TIME') return #t == 2 and t[1] * 1 > 1.7e9 and t[2] * 1 < 1e6";
        assertThat(eval(time, List.of())).isEqualTo(":1");
    }

    @Test
    void whatFailsOrIsStoppedHasWrittenNothing() throws IOException {
        client.ask("SET k before");
        for (String end : List.of(
                "error('broken')",
                "while true do end",
                "local s = 'x' while true do s = s .. s end",
                "redis.call('INCR', KEYS[1])")) {
            assertThat(eval(
                            "redis.call('SET', KEYS[1], 'after') redis.call('SET', KEYS[2], 1) " + end,
                            List.of("k", "l")))
                    .startsWith("-ERR ");
            assertThat(client.ask("MGET k l")).as(end).isEqualTo("[\"before\", nil]");
        }
        assertThat(eval("while true do end", List.of())).contains("it takes more than 200000 instructions");
        assertThat(eval("local s = 'x' while true do s = s .. s end", List.of()))
                .contains("1048576 bytes of memory");
    }

    @Test
    void anErrorThatIsCaughtKeepsNothingFromBeingWritten() throws IOException {
        String script = "redis.call('SET', KEYS[1], 'x') local e = redis.pcall('INCR', KEYS[1])"
                + " redis.call('SET', KEYS[2], e.err) return redis.error_reply('as told')";
        assertThat(eval(script, List.of("k", "l"))).isEqualTo("-ERR as told");
        assertThat(client.ask("MGET k l")).isEqualTo("[\"x\", \"ERR value is not an integer or out of range\"]");
    }

    @Test
    void scriptsAreFoundByTheirSha() throws IOException {
        String other = "a42059b356c875f0717db19a51f6aaca9ae659ea";
        String loaded = load("return ARGV[1]");
        assertThat(eval(client, "EVALSHA", loaded, List.of(), "x")).isEqualTo("\"x\"");
        assertThat(eval(client, "EVALSHA", loaded.toUpperCase(Locale.ROOT), List.of(), "x"))
                .isEqualTo("\"x\"");
        assertThat(client.ask("SCRIPT EXISTS " + loaded + " " + other)).isEqualTo("[:1, :0]");
        assertThat(eval(client, "EVALSHA", other, List.of()))
                .isEqualTo("-NOSCRIPT No matching script. Please use EVAL.");
        assertThat(client.ask("SCRIPT FLUSH")).isEqualTo("+OK");
        assertThat(eval(client, "EVALSHA", loaded, List.of(), "x")).startsWith("-NOSCRIPT");
        assertThat(eval("return ARGV[1]", List.of(), "x")).isEqualTo("\"x\"");
        assertThat(eval(client, "EVALSHA", loaded, List.of(), "x")).isEqualTo("\"x\"");
    }

    private String load(String script) throws IOException {
        return client.ask("SCRIPT".getBytes(ISO_8859_1), "LOAD".getBytes(ISO_8859_1), script.getBytes(ISO_8859_1))
                .replace("\"", "");
    }

    /// The scripts that are kept are bounded: the one that was used the longest time ago goes.
    @Test
    void theOldestScriptIsForgotten() throws IOException {
        String first = load("return 'first'");
        for (int i = 0; i < 1_000; i++) {
            load("return " + i);
        }
        assertThat(eval(client, "EVALSHA", first, List.of())).startsWith("-NOSCRIPT");
        String large = "return 1 --" + "x".repeat(250 << 10);
        String known = load("return 'known'");
        for (int i = 0; i < 40; i++) {
            load(large + i);
        }
        assertThat(eval(client, "EVALSHA", known, List.of())).startsWith("-NOSCRIPT");
        assertThat(load("return 1 --" + "x".repeat(257 << 10))).startsWith("-ERR script of more than 262144 bytes");
    }

    /// Pipelined: what is loaded is there for the next command.
    @Test
    void commandsTakeEffectInTheirOrder() throws IOException {
        String sha = load("return redis.call('INCR', KEYS[1])");
        client.ask("SCRIPT FLUSH");
        client.raw(RespClient.command(
                        bytes("EVAL"), bytes("return redis.call('INCR', KEYS[1])"), bytes("1"), bytes("n")))
                .send("EVALSHA " + sha + " 1 n")
                .send("INCR n")
                .send("EVALSHA " + sha + " 1 n")
                .send("GET n");
        assertThat(List.of(client.read(), client.read(), client.read(), client.read(), client.read()))
                .containsExactly(":1", ":2", ":3", ":4", "\"4\"");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    /// Connections run a script that adds to two keys, during plain increments of one: each step counts exactly once.
    @Test
    void connectionsThatRunTheSameScriptDisturbNothing() {
        String script = "local a = tonumber(redis.call('GET', KEYS[1]) or '0')"
                + " local b = tonumber(redis.call('GET', KEYS[2]) or '0')"
                + " redis.call('SET', KEYS[1], a + 1) redis.call('SET', KEYS[2], b + 2) return {a, b}";
        int each = 150;
        Stream.concat(
                        IntStream.range(0, 4)
                                .mapToObj(_ -> CompletableFuture.runAsync(() -> times(each, asker -> {
                                    String reply = eval(asker, "EVAL", script, List.of("a", "b"));
                                    assertThat(reply).startsWith("[:");
                                }))),
                        Stream.of(CompletableFuture.runAsync(() -> times(
                                each,
                                asker -> assertThat(asker.ask("INCRBY b 2")).startsWith(":")))))
                .toList()
                .forEach(CompletableFuture::join);
        assertThat(ask("MGET a b")).isEqualTo("[\"" + 4 * each + "\", \"" + 2 * 5 * each + "\"]");
    }

    /// A limiter as libraries write it: of many that ask at a time, exactly as many are let through as may be.
    @Test
    void aLimiterLetsThroughAsManyAsItSays() {
        String script =
                "local n = redis.call('INCR', KEYS[1]) if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end"
                        + " if n > tonumber(ARGV[1]) then return 0 end return 1";
        List<CompletableFuture<Integer>> all = IntStream.range(0, 4)
                .mapToObj(_ -> CompletableFuture.supplyAsync(() -> {
                    int[] through = {0};
                    times(
                            50,
                            asker -> through[0] += eval(asker, "EVAL", script, List.of("limit"), "77", "60000")
                                            .equals(":1")
                                    ? 1
                                    : 0);
                    return through[0];
                }))
                .toList();
        assertThat(all.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(77);
        assertThat(ask("GET limit")).isEqualTo("\"200\"");
    }

    @FunctionalInterface
    private interface Asks {
        void with(RespClient asker) throws IOException;
    }

    private void times(int count, Asks asks) {
        try (RespClient asker = new RespClient(node.respPort())) {
            for (int i = 0; i < count; i++) {
                asks.with(asker);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String ask(String line) {
        try {
            return client.ask(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whoMayNotReadAndWriteRunsNoScript() throws Exception {
        Files.write(
                folder.resolve("tokens"),
                List.of(
                        TokenFile.line("reader", EnumSet.of(Scope.READ), reader, 0),
                        TokenFile.line("writer", EnumSet.of(Scope.WRITE), writer, 0),
                        TokenFile.line("both", EnumSet.of(Scope.READ, Scope.WRITE), both, 0)));
        try (Node guarded = open(true);
                RespClient asker = new RespClient(guarded.respPort())) {
            assertThat(eval(asker, "EVAL", "return 1", List.of())).startsWith("-NOAUTH");
            asker.ask("AUTH " + writer);
            assertThat(eval(asker, "EVAL", "return 1", List.of()))
                    .isEqualTo("-NOPERM this token has no scope 'read', which 'eval' needs");
            asker.ask("AUTH " + reader);
            assertThat(eval(asker, "EVAL", "return 1", List.of()))
                    .isEqualTo("-NOPERM this token has no scope 'write', which 'eval' needs");
            assertThat(asker.ask("SCRIPT FLUSH")).startsWith("-NOPERM");
            assertThat(eval(asker, "EVAL_RO", "return redis.call('GET', KEYS[1])", List.of("k")))
                    .isEqualTo("nil");
            assertThat(eval(asker, "EVAL_RO", "return redis.call('SET', KEYS[1], 1)", List.of("k")))
                    .startsWith("-ERR Write commands are not allowed from read-only scripts.");
            asker.ask("AUTH " + both);
            assertThat(eval(asker, "EVAL", "return redis.call('SET', KEYS[1], 1)", List.of("k")))
                    .isEqualTo("+OK");
        }
    }

    @Test
    void wrongCallsAreRefusedAsRedisDoes() throws IOException {
        assertThat(client.ask("EVAL x")).isEqualTo("-ERR wrong number of arguments for 'eval' command");
        assertThat(client.ask("EVAL x y")).isEqualTo("-ERR value is not an integer or out of range");
        assertThat(client.ask("EVAL x -1")).isEqualTo("-ERR Number of keys can't be negative");
        assertThat(client.ask("EVAL x 1")).isEqualTo("-ERR Number of keys can't be greater than number of args");
        assertThat(client.ask("EVAL x= 0")).startsWith("-ERR Error compiling script");
        assertThat(client.ask("SCRIPT KILL")).startsWith("-ERR unknown subcommand 'KILL'");
        assertThat(client.ask("MULTI")).isEqualTo("+OK");
        assertThat(client.ask("SCRIPT FLUSH")).isEqualTo("-ERR Command not allowed inside a transaction");
        assertThat(client.ask("EXEC")).startsWith("-EXECABORT");
    }

    @Test
    void aScriptInATransactionIsOneMomentWithItsCommands() throws IOException {
        client.ask("MULTI");
        client.ask("SET k 1");
        assertThat(eval("return redis.call('INCRBY', KEYS[1], ARGV[1])", List.of("k"), "5"))
                .isEqualTo("+QUEUED");
        eval("redis.call('SET', KEYS[1], 'x') redis.call('SET', KEYS[2], 'x') error('broken')", List.of("k", "l"));
        client.ask("CLIENT SETNAME caller");
        client.ask("INCR k");
        assertThat(client.ask("EXEC"))
                .matches("\\[\\+OK, :6, -ERR user_script:1: broken script: [^,]+, on @user_script\\., \\+OK, :7\\]");
        assertThat(client.ask("MGET k l")).isEqualTo("[\"7\", nil]");
        assertThat(client.ask("CLIENT GETNAME")).isEqualTo("\"caller\"");
    }

    @Test
    void aWatchedKeyThatChangedKeepsScriptsFromRunning() throws IOException {
        client.ask("WATCH k");
        try (RespClient other = new RespClient(node.respPort())) {
            other.ask("SET k other");
        }
        client.ask("MULTI");
        eval("return redis.call('SET', KEYS[1], 'mine')", List.of("k"));
        assertThat(client.ask("EXEC")).isEqualTo("nil");
        assertThat(client.ask("GET k")).isEqualTo("\"other\"");
    }

    /// Else a transaction of 10,000 of them would take so many times as long.
    @Test
    void theScriptsOfATransactionHaveTheBoundsOfOne() throws IOException {
        String counts = "for i = 1, 120000 do end return redis.call('INCR', KEYS[1])";
        client.ask("MULTI");
        eval(counts, List.of("k"));
        eval(counts, List.of("k"));
        assertThat(client.ask("EXEC"))
                .startsWith("[:1, -ERR script stopped, nothing was written: it takes more than 200000 instructions");
        assertThat(client.ask("GET k")).isEqualTo("\"1\"");
    }

    @Test
    void nothingIsNullInTheProtocolThatIsSpoken() throws IOException {
        client.ask("HELLO 3");
        client.raw(RespClient.command(bytes("EVAL"), bytes("return {1, false}"), bytes("0")));
        assertThat(client.read()).isEqualTo("[:1, nil]");
    }
}
