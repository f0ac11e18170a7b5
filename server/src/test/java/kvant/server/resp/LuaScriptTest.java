package kvant.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Results of scripts, their bounds, and the functions that they cannot reach.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LuaScriptTest {

    private final List<List<String>> called = new ArrayList<>();

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "return 3.99 ~ :3|",
                "return -7 ~ :-7|",
                "return 'a' ~ $1|a|",
                "return nil ~ $-1|",
                "return false ~ $-1|",
                "return true ~ :1|",
                "return ~ $-1|",
                "return {1, 'a', {2}, nil, 3} ~ *3|:1|$1|a|*1|:2|",
                "return {ok = 'FINE'} ~ +FINE|",
                "return redis.status_reply('FINE') ~ +FINE|",
                "return {err = 'MY way'} ~ -MY way|",
                "return redis.error_reply('no') ~ -ERR no|",
                "return redis.error_reply('-MY no') ~ -MY no|",
                "return redis.sha1hex('') ~ $40|da39a3ee5e6b4b0d3255bfef95601890afd80709|",
                "return {KEYS[1], ARGV[1], ARGV[2], #KEYS, #ARGV} ~ *5|$1|k|$1|x|$1|5|:1|:2|",
                "return ARGV[2] + 1 ~ :6|",
                "return tonumber('0x10') + tonumber('1e2') ~ :116|",
                "return tostring(0.1) ~ $3|0.1|",
                "return tostring(10 / 3) ~ $15|3.3333333333333|",
                "return 1700000000000 .. '' ~ $13|1700000000000|",
                "return 'a' .. 1.5 .. 2 ~ $5|a1.52|",
                "return tostring(2^63) ~ $19|9.2233720368548e+18|",
                "return math.floor(7 / 2) ~ :3|",
                "return math.max(1, 5, 3) % 3 ~ :2|",
                "return 9007199254740992 ~ :9007199254740992|",
                "return ('abc'):sub(2, -1):upper() ~ $2|BC|",
                "return table.concat({1, 2.5, 'x'}, ',') ~ $7|1,2.5,x|",
                "return {unpack({1, 2, 3}, 2)} ~ *2|:2|:3|",
                "local t = {} for i, v in ipairs({5, 6}) do t[i] = v * i end return t ~ *2|:5|:12|",
                "local f = function(a, ...) return select('#', ...) end return f(1, 2, 3) ~ :2|",
                "return {pcall(function() error('x') end)} ~ *2|$-1|$16|user_script:1: x|",
                "return {pcall(error, {err = 'X'})} ~ *2|$-1|-X|",
                "return type(redis.call('NIL')) ~ $7|boolean|",
                "return redis.call('OK').ok ~ $2|OK|",
                "return redis.call('NUMBER') + 1 ~ :42|",
                "return redis.call('LIST') ~ *2|$1|a|$-1|",
                "return redis.pcall('FAIL').err ~ $8|ERR wrong|",
                "return {type(redis.call), redis.LOG_WARNING} ~ *2|$8|function|:3|",
            })
    void itsReplyIsThatOfRedis(String script, String reply) throws Exception {
        assertThat(run(script).replace("\r\n", "|")).isEqualTo(reply.replace("$8|ERR wrong", "$9|ERR wrong"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "error('broken') ~ -ERR user_script:1: broken script: 4",
                "error({err = 'CODE broken'}) ~ -CODE broken script: ",
                "redis.call('FAIL') ~ -ERR wrong script: ",
                "return nil + 1 ~ -ERR user_script:1: attempt to perform arithmetic",
                "return redis.call() ~ -ERR Please specify at least one argument",
                "return redis.call({}) ~ -ERR Lua redis lib command arguments must be strings or integers",
                "return { ~ -ERR Error compiling script",
                "\u001bLuaR ~ -ERR Error compiling script",
            })
    void itsErrorSaysWhere(String script, String begin) throws Exception {
        assertThat(run(script))
                .startsWith(begin.replace("script: 4", "script: "))
                .endsWith("\r\n");
    }

    @Test
    void wordsOfACommandAreWrittenAsRedisDoes() throws Exception {
        run("redis.call('OK', 1, 0.1, 1e15, -3, 3.0, ARGV[2])");
        assertThat(called)
                .containsExactly(List.of("OK", "1", "0.10000000000000001", "1000000000000000", "-3", "3", "5"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "while true do end",
                "while true do pcall(function() while true do end end) end",
                "local function f() return f() end return f()",
                "local function f() return 1 + f() end return f()",
                "local function f() return 1 + f() end return pcall(f)",
                "local t = setmetatable({}, {}) local m = {} m.__index = function(s, k) return s[k] end"
                        + " setmetatable(t, m) return t.x",
                "local t = {} setmetatable(t, {__call = t}) return t()",
                "local f = pcall for i = 1, 1e9 do local g = f f = function() return g(g) end end return f()",
                "local s = 'x' while true do s = s .. s end",
                "local s = 'x' while #s < 1e6 do s = s .. s end local t = {} for i = 1, 1000 do t[i] = s end"
                        + " return table.concat(t)",
                "local s = 'x' while #s < 1e6 do s = s .. s end return table.concat({s, s, s}, s, 1, 3)"
                        + " .. s .. s .. s .. s .. s .. s .. s .. s",
                "local s = 'x' while #s < 5e6 do s = s .. s end"
                        + " return s .. s .. s .. s .. s .. s .. s .. s .. s .. s",
                "local t = {} for i = 1, 1e9 do t[i] = i end",
                "local t = {} for i = 1, 1e9 do t[i] = {} end",
                "local t = {} while true do table.insert(t, 1, 'x') end",
                "local t = {} for i = 1, 8000 do t[i] = 'x' end while true do local u = {unpack(t)} end",
                "local t = {} t[1] = t return t",
                "local s = 'x' while #s < 1e6 do s = s .. s end while true do s = s:upper() end",
                "while true do redis.call('LONG') end",
            })
    void whatTakesTooMuchIsStopped(String script) throws Exception {
        assertThat(run(script)).matches("-ERR (script stopped|script failed|user_script|reached)[^\r\n]*\r\n");
    }

    @Test
    void eachBoundIsNamed() throws Exception {
        assertThat(run("while true do end")).contains("it takes more than 1000000 instructions");
        assertThat(run("local s = 'x' while true do s = s .. s end"))
                .contains("it takes more than 16777216 bytes of memory");
        assertThat(run("local function f() return 1 + f() end return f()")).contains("more than 150 calls");
        ScriptLimits hurry = new ScriptLimits(1_000_000_000, 1 << 30, 50);
        assertThat(run("while true do end", hurry)).contains("it takes longer than 50 ms");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "os",
                "io",
                "package",
                "require",
                "dofile",
                "loadfile",
                "load",
                "loadstring",
                "debug",
                "luajava",
                "coroutine",
                "print",
                "collectgarbage",
                "getmetatable",
                "getfenv",
                "setfenv",
                "module",
                "newproxy",
                "string.dump",
                "string.rep",
                "string.format",
                "string.find",
                "string.match",
                "string.gmatch",
                "string.gsub",
                "math.random",
                "_G"
            })
    void whatReachesOutsideIsNotThere(String name) throws Exception {
        assertThat(run("return type(" + name + ")")).isEqualTo("$3\r\nnil\r\n");
    }

    @Test
    void nothingOfARunOutlivesIt() throws Exception {
        run("string.upper = nil redis.call = nil table.concat = nil math.floor = nil x = 1 KEYS[1] = 'other'");
        assertThat(run("return {('x'):upper(), type(redis.call), type(table.concat), type(math.floor),"
                        + " type(x), KEYS[1]}"))
                .isEqualTo("*6\r\n$1\r\nX\r\n" + "$8\r\nfunction\r\n".repeat(3) + "$3\r\nnil\r\n$1\r\nk\r\n");
    }

    private String run(String source) throws Exception {
        return run(source, ScriptLimits.DEFAULT);
    }

    /// On a thread with the stack of those that run scripts.
    private String run(String source, ScriptLimits limits) throws Exception {
        FutureTask<String> task = new FutureTask<>(() -> text(replyTo(source.getBytes(UTF_8), limits)));
        Thread thread = new Thread(null, task, "script");
        thread.start();
        return task.get();
    }

    private Reply replyTo(byte[] source, ScriptLimits limits) {
        try {
            return LuaScript.compile(source, LuaScript.sha(source))
                    .run(
                            List.of("k".getBytes(UTF_8)),
                            List.of("x".getBytes(UTF_8), "5".getBytes(UTF_8)),
                            this::call,
                            false,
                            new LuaMeter(limits));
        } catch (WrongCommandException e) {
            return e.reply();
        }
    }

    private static String text(Reply reply) {
        return new String(((Reply.Raw) reply).bytes(), UTF_8);
    }

    private Reply call(List<byte[]> words) {
        called.add(words.stream().map(word -> new String(word, UTF_8)).toList());
        return switch (called.getLast().getFirst()) {
            case "NIL" -> Reply.Plain.NIL;
            case "OK" -> Reply.Plain.OK;
            case "NUMBER" -> new Reply.Number(41);
            case "LIST" -> Reply.Sequence.array(List.of(new Reply.Bulk("a".getBytes(UTF_8)), Reply.Plain.NIL));
            case "LONG" -> new Reply.Bulk(new byte[1 << 20]);
            default -> Errors.error("ERR wrong");
        };
    }
}
