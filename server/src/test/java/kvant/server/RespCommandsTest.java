package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The reply to each command, as the documentation of Redis has it. A line is a command and its reply; where the reply
/// is not the same every time, it is a pattern between slashes.
class RespCommandsTest {

    private final NodeHarness harness = new NodeHarness(
            options -> options.withExecutor(ExecutorKind.ADAPTIVE).with(o -> o.respPort = 0));
    private RespClient client;

    @BeforeEach
    void connect() throws IOException {
        client = new RespClient(harness.node.respPort());
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        harness.close();
    }

    static List<String> conversations() {
        return List.of("""
                GET k -> nil
                SET k v -> +OK
                get k -> "v"
                STRLEN k -> :1
                STRLEN missing -> :0
                EXISTS k -> :1
                EXISTS missing -> :0
                EXISTS k missing k -> :2
                DEL k -> :1
                DEL k -> :0
                GET k -> nil
                GET -> -ERR wrong number of arguments for 'get' command
                GET a b -> -ERR wrong number of arguments for 'get' command
                SET a -> -ERR wrong number of arguments for 'set' command
                """, """
                SET k 1 NX -> +OK
                SET k 2 NX -> nil
                GET k -> "1"
                SET k 3 XX -> +OK
                GET k -> "3"
                SET other 1 XX -> nil
                GET other -> nil
                SET k 4 NX XX -> -ERR syntax error
                SET k 4 WHAT -> -ERR syntax error
                SET k 4 EX -> -ERR syntax error
                SET k 4 EX 1 PX 1 -> -ERR syntax error
                SET k 4 EX 10 KEEPTTL -> -ERR syntax error
                SET k 4 EX 0 -> -ERR invalid expire time in 'set' command
                SET k 4 EX -1 -> -ERR invalid expire time in 'set' command
                SET k 4 PX 9223372036854775807 -> -ERR invalid expire time in 'set' command
                SET k 4 EX ten -> -ERR value is not an integer or out of range
                GET k -> "3"
                """, """
                SET k 1 GET -> nil
                SET k 2 GET -> "1"
                SET k 3 NX GET -> "2"
                GET k -> "2"
                SET other 3 XX GET -> nil
                GET other -> nil
                """, """
                SET k v EX 100 -> +OK
                TTL k -> /:(99|100)/
                PTTL k -> /:(99\\d{3}|100000)/
                SET k w KEEPTTL -> +OK
                TTL k -> /:(99|100)/
                GET k -> "w"
                SET k x -> +OK
                TTL k -> :-1
                PTTL k -> :-1
                EXPIRETIME k -> :-1
                TTL missing -> :-2
                PTTL missing -> :-2
                PEXPIRETIME missing -> :-2
                SET k v PX 60000 -> +OK
                TTL k -> :60
                SET k v EXAT 4000000000 -> +OK
                EXPIRETIME k -> :4000000000
                PEXPIRETIME k -> :4000000000000
                SET k v PXAT 4000000000500 -> +OK
                PEXPIRETIME k -> :4000000000500
                EXPIRETIME k -> :4000000001
                SET k v PXAT 9223372036854775807 -> +OK
                PEXPIRETIME k -> :9223372036854775807
                EXPIRETIME k -> :9223372036854776
                SET k v PXAT 5 -> +OK
                GET k -> nil
                """, """
                SET k v EX 9000000000000000 -> +OK
                TTL k -> /:(9000000000000000|8999999999999999)/
                SET k v EX 9000000000000001 -> -ERR invalid expire time in 'set' command
                SET k v PX 9000000000000000001 -> -ERR invalid expire time in 'set' command
                SETEX k 9000000000000001 v -> -ERR invalid expire time in 'setex' command
                PSETEX k 9000000000000000001 v -> -ERR invalid expire time in 'psetex' command
                GETEX k EX 9000000000000001 -> -ERR invalid expire time in 'getex' command
                EXPIRE k 9000000000000001 -> -ERR invalid expire time in 'expire' command
                EXPIRE k -9000000000000001 -> -ERR invalid expire time in 'expire' command
                PEXPIRE k 9000000000000000001 -> -ERR invalid expire time in 'pexpire' command
                EXPIREAT k 9223372036854776 -> -ERR invalid expire time in 'expireat' command
                EXPIREAT k 9223372036854775 -> :1
                PEXPIRE k 9000000000000000000 -> :1
                PEXPIREAT k 9223372036854770000 -> :1
                PEXPIREAT k -9223372036854770000 -> :1
                GET k -> nil
                """, """
                EXPIRE k 10 -> :0
                PERSIST k -> :0
                SET k v -> +OK
                PERSIST k -> :0
                EXPIRE k 10 -> :1
                TTL k -> /:(9|10)/
                GET k -> "v"
                PERSIST k -> :1
                TTL k -> :-1
                PEXPIRE k 20000 -> :1
                TTL k -> /:(19|20)/
                EXPIREAT k 4000000000 -> :1
                EXPIRETIME k -> :4000000000
                PEXPIREAT k 4000000000999 -> :1
                PEXPIRETIME k -> :4000000000999
                EXPIRE k 10 NX -> :0
                EXPIRE k 10 GT -> :0
                EXPIRE k 10 XX -> :1
                EXPIRE k 100 LT -> :0
                EXPIRE k 100 GT -> :1
                EXPIRE k 10 LT -> :1
                EXPIRE k 20 XX LT -> :0
                EXPIRE k 5 LT XX -> :1
                EXPIRE k 10 xx gt -> :1
                PERSIST k -> :1
                EXPIRE k 5 XX LT -> :0
                EXPIRE k 5 XX GT -> :0
                EXPIRE k 10 LT -> :1
                EXPIRE k 10 NX XX -> -ERR NX and XX, GT or LT options at the same time are not compatible
                EXPIRE k 10 GT NX -> -ERR NX and XX, GT or LT options at the same time are not compatible
                EXPIRE k 10 XX GT LT -> -ERR GT and LT options at the same time are not compatible
                EXPIRE k 10 WHAT -> -ERR Unsupported option WHAT
                EXPIRE k 10 XX WHAT -> -ERR Unsupported option WHAT
                EXPIRE k ten -> -ERR value is not an integer or out of range
                EXPIRE k 9223372036854775807 -> -ERR invalid expire time in 'expire' command
                EXPIRE k -1 -> :1
                GET k -> nil
                EXISTS k -> :0
                """, """
                SETEX k 100 v -> +OK
                TTL k -> /:(99|100)/
                PSETEX k 60000 w -> +OK
                TTL k -> :60
                GET k -> "w"
                SETEX k 0 x -> -ERR invalid expire time in 'setex' command
                PSETEX k -1 x -> -ERR invalid expire time in 'psetex' command
                SETEX k 9223372036854775807 x -> -ERR invalid expire time in 'setex' command
                SETEX k ten x -> -ERR value is not an integer or out of range
                SETEX k 10 -> -ERR wrong number of arguments for 'setex' command
                SETNX k x -> :0
                GET k -> "w"
                SETNX new x -> :1
                GET new -> "x"
                TTL new -> :-1
                SETNX new x y -> -ERR wrong number of arguments for 'setnx' command
                GETSET k y -> "w"
                TTL k -> :-1
                GETSET k z -> "y"
                GETSET other 1 -> nil
                GET other -> "1"
                GETSET other -> -ERR wrong number of arguments for 'getset' command
                """, """
                GETDEL k -> nil
                SET k v EX 100 -> +OK
                GETEX k -> "v"
                TTL k -> /:(99|100)/
                GETEX k EX 10 -> "v"
                TTL k -> /:(9|10)/
                GETEX k PX 60000 -> "v"
                TTL k -> :60
                GETEX k EXAT 4000000000 -> "v"
                EXPIRETIME k -> :4000000000
                GETEX k pxat 4000000000123 -> "v"
                PEXPIRETIME k -> :4000000000123
                GETEX k PERSIST -> "v"
                TTL k -> :-1
                GETEX k PERSIST -> "v"
                GETEX k EX 10 PERSIST -> -ERR syntax error
                GETEX k EX -> -ERR syntax error
                GETEX k KEEPTTL -> -ERR syntax error
                GETEX k PERSIST 1 -> -ERR syntax error
                GETEX k EX 0 -> -ERR invalid expire time in 'getex' command
                GETEX k PX ten -> -ERR value is not an integer or out of range
                GETEX -> -ERR wrong number of arguments for 'getex' command
                GETEX missing -> nil
                GETEX missing EX 10 -> nil
                GETEX missing PERSIST -> nil
                EXISTS missing -> :0
                GETEX k PXAT 5 -> "v"
                GET k -> nil
                SET k w -> +OK
                GETDEL k -> "w"
                GETDEL k -> nil
                GETDEL k k -> -ERR wrong number of arguments for 'getdel' command
                COMMAND INFO setnx getex -> /\\[\\["setnx", :3, .*\\["getex", :-2, \\[\\+write], :1, :1, :1, .*/
                """, """
                MSET a 1 b 2 a 3 -> +OK
                MGET a b missing -> ["3", "2", nil]
                MGET a -> ["3"]
                MSET a -> -ERR wrong number of arguments for 'mset' command
                MSET a 1 b -> -ERR wrong number of arguments for 'mset' command
                DEL a b missing -> :2
                MGET a b -> [nil, nil]
                """, """
                INCR n -> :1
                INCR n -> :2
                INCRBY n 40 -> :42
                DECR n -> :41
                DECRBY n 50 -> :-9
                GET n -> "-9"
                INCRBY n x -> -ERR value is not an integer or out of range
                SET n 9223372036854775807 -> +OK
                INCR n -> -ERR increment or decrement would overflow
                DECRBY n -9223372036854775808 -> -ERR decrement would overflow
                SET n 01 -> +OK
                INCR n -> -ERR value is not an integer or out of range
                SET n 5 EX 100 -> +OK
                INCR n -> :6
                TTL n -> /:(99|100)/
                SET n -9223372036854775808 -> +OK
                DECR n -> -ERR increment or decrement would overflow
                INCR n -> :-9223372036854775807
                """, """
                PING -> +PONG
                PING there -> "there"
                PING a b -> -ERR wrong number of arguments for 'ping' command
                ECHO hello -> "hello"
                SELECT 0 -> +OK
                SELECT x -> -ERR value is not an integer or out of range
                AUTH secret -> /-ERR AUTH <password> called without any password configured.*/
                CLIENT GETNAME -> nil
                CLIENT SETNAME me -> +OK
                CLIENT GETNAME -> "me"
                CLIENT ID -> /:\\d+/
                CLIENT SETINFO LIB-NAME lib -> +OK
                CLIENT SETINFO LIB-VER 1.2 -> +OK
                CLIENT SETINFO WHAT x -> -ERR Unrecognized option 'WHAT'
                CLIENT LIST -> /"id=\\d+ addr=127.0.0.1:\\d+ name=me .*lib-name=lib lib-ver=1.2\\n"/
                CLIENT INFO -> /"id=\\d+ addr=127.0.0.1:\\d+ name=me .*lib-name=lib lib-ver=1.2\\n"/
                CLIENT INFO x -> -ERR unknown subcommand 'INFO'. Try CLIENT HELP.
                CLIENT KILL -> -ERR unknown subcommand 'KILL'. Try CLIENT HELP.
                COMMAND COUNT -> /:\\d\\d/
                COMMAND DOCS -> []
                COMMAND INFO get what -> /\\[\\["get", :2, \\[\\+readonly, \\+fast], :1, :1, :1, .*], nil]/
                INFO server -> /"# Server\\r\\nredis_version:7[^#]*server_name:kvant\\r\\n((?!#).)*"/
                INFO clients -> /"# Clients\\r\\nconnected_clients:1\\r\\n"/
                INFO replication -> /"# Replication\\r\\nrole:master\\r\\nconnected_slaves:0\\r\\n"/
                INFO Replication CLIENTS -> /"# Clients\\r\\n.*\\r\\n\\r\\n# Replication\\r\\n((?!#).)*"/
                INFO -> /"# Server\\r\\n.*\\r\\n\\r\\n# Clients\\r\\n.*\\r\\n\\r\\n# Replication\\r\\n.*"/
                INFO all -> /"# Server\\r\\n.*\\r\\n\\r\\n# Clients\\r\\n.*\\r\\n\\r\\n# Replication\\r\\n.*"/
                INFO keyspace -> ""
                COMMAND INFO get none -> /\\[\\["get", :2, .*\\], nil\\]/
                COMMAND LIST x -> -ERR unknown subcommand 'LIST'. Try COMMAND HELP.
                HSET h a 1 -> -ERR unknown command 'HSET', with args beginning with: 'h' 'a' '1'\s
                HELLO 4 -> -NOPROTO unsupported protocol version
                HELLO abc -> -ERR Protocol version is not an integer or out of range
                HELLO 2 -> /\\["server", "kvant", "version", ".*", "proto", :2, "id", :\\d+, .*\\]/
                HELLO 3 SETNAME it -> /\\{"server"="kvant", .*"proto"=:3, .*"modules"=\\[\\]\\}/
                CLIENT GETNAME -> "it"
                GET missing -> nil
                HELLO 3 WHAT -> -ERR Syntax error in HELLO option 'WHAT'
                COMMAND DOCS -> {}
                RESET -> +RESET
                CLIENT GETNAME -> nil
                COMMAND DOCS -> []
                RESET x -> -ERR wrong number of arguments for 'reset' command
                QUIT -> +OK
                """, """
                EXEC -> -ERR EXEC without MULTI
                DISCARD -> -ERR DISCARD without MULTI
                UNWATCH -> +OK
                UNWATCH x -> -ERR wrong number of arguments for 'unwatch' command
                WATCH -> -ERR wrong number of arguments for 'watch' command
                WATCH k -> +OK
                MULTI -> +OK
                MULTI -> -ERR MULTI calls can not be nested
                WATCH k -> -ERR WATCH inside MULTI is not allowed
                SET k 5 -> +QUEUED
                INCR k -> +QUEUED
                MGET k missing -> +QUEUED
                SET k 1 WHAT -> +QUEUED
                SET s x PX 100000 -> +QUEUED
                INCR s -> +QUEUED
                PTTL k -> +QUEUED
                EXISTS k s k -> +QUEUED
                GETDEL k -> +QUEUED
                GET k -> +QUEUED
                SET k 7 NX GET -> +QUEUED
                DEL k k s -> +QUEUED
                UNWATCH -> +QUEUED
                PING -> +QUEUED
                EXEC -> [+OK, :6, ["6", nil], -ERR syntax error, +OK, -ERR value is not an integer or out of\s\
                range, :-1, :3, "6", nil, nil, :2, +OK, +PONG]
                EXISTS k s -> :0
                EXEC -> -ERR EXEC without MULTI
                MULTI -> +OK
                EXEC -> []
                SET k v -> +OK
                MULTI -> +OK
                SET k w -> +QUEUED
                NOTHING -> /-ERR unknown command 'NOTHING'.*/
                SET k x -> +QUEUED
                EXEC -> -EXECABORT Transaction discarded because of previous errors.
                GET k -> "v"
                MULTI -> +OK
                SET k -> -ERR wrong number of arguments for 'set' command
                EXEC -> -EXECABORT Transaction discarded because of previous errors.
                MULTI -> +OK
                SET k w -> +QUEUED
                SCAN 0 -> -ERR Command not allowed inside a transaction
                EXEC -> -EXECABORT Transaction discarded because of previous errors.
                GET k -> "v"
                multi -> +OK
                SET k w -> +QUEUED
                DISCARD now -> -ERR wrong number of arguments for 'discard' command
                discard -> +OK
                GET k -> "v"
                MULTI now -> -ERR wrong number of arguments for 'multi' command
                MULTI -> +OK
                EXEC now -> -EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command
                EXEC -> -ERR EXEC without MULTI
                WATCH k -> +OK
                SET k 1 -> +OK
                MULTI -> +OK
                INCR k -> +QUEUED
                EXEC -> nil
                WATCH k -> +OK
                SET k 1 -> +OK
                UNWATCH -> +OK
                MULTI -> +OK
                INCR k -> +QUEUED
                EXEC -> [:2]
                WATCH k -> +OK
                MULTI -> +OK
                DISCARD -> +OK
                SET k 1 -> +OK
                MULTI -> +OK
                GET k -> +QUEUED
                EXEC -> ["1"]
                HELLO 3 -> /.*"proto"=:3.*/
                WATCH k -> +OK
                DEL k -> :1
                MULTI -> +OK
                EXEC -> nil
                MULTI -> +OK
                RESET now -> -ERR wrong number of arguments for 'reset' command
                RESET -> +RESET
                EXEC -> -ERR EXEC without MULTI
                MULTI -> +OK
                QUIT -> +OK
                """, """
                SET s hello -> +OK
                APPEND s world -> :10
                APPEND n x -> :1
                GETRANGE s 0 4 -> "hello"
                GETRANGE s -5 -1 -> "world"
                GETRANGE s -100 100 -> "helloworld"
                GETRANGE s 5 2 -> ""
                GETRANGE s -3 -10 -> ""
                GETRANGE missing 0 -1 -> ""
                GETRANGE s a 1 -> -ERR value is not an integer or out of range
                SUBSTR s 0 3 -> "hell"
                SETRANGE s 5 WORLD! -> :11
                GET s -> "helloWORLD!"
                SETRANGE z 2 ab -> :4
                STRLEN z -> :4
                SETRANGE s -1 x -> -ERR offset is out of range
                SETRANGE s 536870912 x -> -ERR string exceeds maximum allowed size (proto-max-bulk-len)
                SET f 10.50 PX 100000 -> +OK
                INCRBYFLOAT f 0.1 -> "10.6"
                INCRBYFLOAT f -5 -> "5.6"
                INCRBYFLOAT f 5.0e3 -> "5005.60000000000000009"
                TTL f -> :100
                INCRBYFLOAT g 3.3333333333333333 -> "3.3333333333333333"
                INCRBYFLOAT g 1e20 -> "100000000000000000000"
                INCRBYFLOAT h 1e-18 -> "0"
                INCRBYFLOAT h 1e-5 -> "0.00001"
                INCRBYFLOAT h nan -> -ERR value is not a valid float
                INCRBYFLOAT h inf -> -ERR increment would produce NaN or Infinity
                INCRBYFLOAT s 1 -> -ERR value is not a valid float
                """, """
                MSETNX a 1 b 2 -> :1
                MSETNX b 3 c 4 -> :0
                MSETNX b -> -ERR wrong number of arguments for 'msetnx' command
                MGET a b c -> ["1", "2", nil]
                PEXPIRE a 100000 -> :1
                COPY a d -> :1
                COPY a d -> :0
                COPY b d REPLACE -> :1
                TTL d -> :-1
                COPY a a -> -ERR source and destination objects are the same
                COPY missing d -> :0
                COPY a e DB 0 -> :1
                COPY a e DB 1 -> -ERR DB index is out of range
                COPY a e WHAT -> -ERR syntax error
                RENAME a r -> +OK
                RENAME a r -> -ERR no such key
                RENAME r r -> +OK
                TTL r -> :100
                RENAMENX r b -> :0
                RENAMENX r r -> :0
                RENAMENX r x -> :1
                RENAMENX r x -> -ERR no such key
                TYPE x -> +string
                TYPE r -> +none
                TOUCH x b r -> :2
                UNLINK x b r -> :2
                TIME -> /\\["\\d{10}", "\\d{1,6}"]/
                """, """
                SET k a -> +OK
                DELEX k IFEQ b -> :0
                DELEX k IFNE a -> :0
                DELEX k IFEQ -> -ERR wrong number of arguments for 'delex' command
                DELEX k IFXX a -> -ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE
                DELEX k IFDEQ a -> /-ERR IFDEQ and IFDNE are not supported.*/
                DELEX k IFEQ a -> :1
                DELEX k -> :0
                SET k a -> +OK
                DELIFEQ k b -> :0
                DELIFEQ k a -> :1
                SET k 1 IFEQ 1 -> nil
                SET k 1 IFNE 1 -> +OK
                SET k 2 IFEQ 1 PX 100000 -> +OK
                TTL k -> :100
                SET k 3 IFEQ 1 GET -> "2"
                SET k 2 IFEQ 2 KEEPTTL -> +OK
                TTL k -> :100
                SET k 3 IFNE 2 -> nil
                SET k 3 NX IFEQ 1 -> -ERR syntax error
                SET k 3 IFEQ 1 XX -> -ERR syntax error
                SET k 3 IFEQ -> -ERR syntax error
                GET k -> "2"
                """, """
                CLIENT NO-EVICT ON -> +OK
                CLIENT NO-TOUCH OFF -> +OK
                CLIENT NO-TOUCH x -> -ERR syntax error
                CLIENT REPLY ON -> +OK
                CLIENT REPLY OFF -> /-ERR CLIENT REPLY OFF and SKIP are not supported.*/
                CLIENT TRACKING OFF -> +OK
                CLIENT TRACKING ON -> /-ERR CLIENT TRACKING is not supported.*/
                CLIENT GETREDIR -> :-1
                CLIENT HELP -> /\\[\\+CLIENT <subcommand>.*/
                CONFIG GET maxmemory -> ["maxmemory", "0"]
                CONFIG GET s*e -> ["save", ""]
                CONFIG GET nosuch -> []
                CONFIG GET -> -ERR wrong number of arguments for 'config|get' command
                CONFIG SET save x -> /-ERR CONFIG SET is not supported.*/
                CONFIG NOPE -> -ERR unknown subcommand 'NOPE'. Try CONFIG HELP.
                FLUSHALL x -> -ERR syntax error
                COMMAND INFO get -> [["get", :2, [+readonly, +fast], :1, :1, :1, [+@read], [], [["flags",\s\
                [+RO], "begin_search", ["type", "index", "spec", ["index", :1]], "find_keys", ["type",\s\
                "range", "spec", ["lastkey", :0, "keystep", :1, "limit", :0]]]], []]]
                AUTH secret -> /-ERR AUTH <password> called without any password.*/
                AUTH default secret -> +OK
                AUTH other secret -> /-WRONGPASS .*/
                """, """
                EVAL return 0 -> nil
                EVAL return'x' 0 -> "x"
                EVAL_RO return 0 -> nil
                evalsha e0e1 0 -> -NOSCRIPT No matching script. Please use EVAL.
                EVALSHA_RO e0e1 0 -> -NOSCRIPT No matching script. Please use EVAL.
                SCRIPT LOAD return'x' -> "e3dac64e665973fab5c5a16c7378011a9a847dcf"
                FCALL f 0 -> -ERR unknown command 'FCALL', with args beginning with: 'f' '0'\s
                FUNCTION LIST -> -ERR unknown command 'FUNCTION', with args beginning with: 'LIST'\s
                EVALS x -> -ERR unknown command 'EVALS', with args beginning with: 'x'\s
                """, """
                '' -> -ERR unknown command '', with args beginning with:\s
                SET k '' -> +OK
                GET k -> ""
                STRLEN k -> :0
                EXISTS k -> :1
                MGET k missing k -> ["", nil, ""]
                GETEX k PERSIST -> ""
                SET k '' GET -> ""
                SET k '' NX GET -> ""
                SET k '' XX -> +OK
                GETSET k '' -> ""
                INCR k -> -ERR value is not an integer or out of range
                EXPIRE k '' -> -ERR value is not an integer or out of range
                EXPIRE k 10 '' -> -ERR Unsupported option\s
                SET k v '' -> -ERR syntax error
                SET k v EX '' -> -ERR value is not an integer or out of range
                SCAN 0 MATCH k -> ["0", ["k"]]
                GETDEL k -> ""
                GETDEL k -> nil
                SETNX k '' -> :1
                SETNX k v -> :0
                SETEX k 100 '' -> +OK
                MSET k '' l '' -> +OK
                MGET k l -> ["", ""]
                DEL k l -> :2
                MSET n 0 -> +OK
                INCRBY n 0 -> :0
                DECRBY n 0 -> :0
                INCRBY missing 0 -> :0
                GET missing -> "0"
                INCRBY n '' -> -ERR value is not an integer or out of range
                INCRBY n -0 -> -ERR value is not an integer or out of range
                EXPIRE n 0 -> :1
                EXISTS n -> :0
                GET '' -> -ERR key of 0 bytes; 1 to 65536 are allowed
                SET '' v -> -ERR key of 0 bytes; 1 to 65536 are allowed
                MGET missing '' -> -ERR key of 0 bytes; 1 to 65536 are allowed
                MSET missing 1 '' 2 -> -ERR key of 0 bytes; 1 to 65536 are allowed
                GET missing -> "0"
                DEL '' -> -ERR key of 0 bytes; 1 to 65536 are allowed
                TTL '' -> -ERR key of 0 bytes; 1 to 65536 are allowed
                GETDEL '' -> -ERR key of 0 bytes; 1 to 65536 are allowed
                MGET -> -ERR wrong number of arguments for 'mget' command
                MSET -> -ERR wrong number of arguments for 'mset' command
                DEL -> -ERR wrong number of arguments for 'del' command
                EXISTS -> -ERR wrong number of arguments for 'exists' command
                SCAN -> -ERR wrong number of arguments for 'scan' command
                SCAN '' -> -ERR invalid cursor
                SCAN 0 '' 1 -> -ERR syntax error
                SCAN 0 COUNT '' -> -ERR value is not an integer or out of range
                SCAN 0 COUNT 0 -> -ERR syntax error
                SCAN 0 MATCH '' -> ["0", []]
                SCAN 0 TYPE '' -> ["0", []]
                DEL missing -> :1
                SCAN 0 -> ["0", []]
                SCAN 0 COUNT 9223372036854775807 -> ["0", []]
                PING '' -> ""
                ECHO '' -> ""
                SELECT '' -> -ERR value is not an integer or out of range
                INFO '' -> ""
                HELLO '' -> -ERR Protocol version is not an integer or out of range
                HELLO 2 '' -> -ERR Syntax error in HELLO option ''
                AUTH '' -> /-ERR AUTH <password> called without any password configured.*/
                CLIENT '' -> -ERR unknown subcommand ''. Try CLIENT HELP.
                CLIENT SETNAME '' -> +OK
                CLIENT GETNAME -> nil
                CLIENT SETINFO LIB-NAME '' -> +OK
                COMMAND '' -> -ERR unknown subcommand ''. Try COMMAND HELP.
                COMMAND INFO '' -> [nil]
                """, """
                MSET user:1 a user:2 b user:3 c other d -> +OK
                SCAN 0 -> ["0", ["other", "user:1", "user:2", "user:3"]]
                SCAN 0 MATCH user:* -> ["0", ["user:1", "user:2", "user:3"]]
                SCAN 0 MATCH *2 COUNT 100 -> ["0", ["user:2"]]
                SCAN 0 MATCH user:[12] COUNT 100 -> ["0", ["user:1", "user:2"]]
                SCAN 0 TYPE hash -> ["0", []]
                SCAN 0 TYPE string MATCH other -> ["0", ["other"]]
                SCAN 0 MATCH user:[1-]* -> ["0", ["user:1", "user:2", "user:3"]]
                SCAN 0 MATCH user:[1-]] -> ["0", ["user:1", "user:2", "user:3"]]
                SCAN 77 -> /-ERR unknown cursor.*/
                SCAN x -> -ERR invalid cursor
                SCAN 0 COUNT 0 -> -ERR syntax error
                SCAN 0 COUNT -1 -> -ERR syntax error
                SCAN 0 COUNT x -> -ERR value is not an integer or out of range
                SCAN -1 -> -ERR invalid cursor
                SCAN 0 COUNT -> -ERR syntax error
                SCAN 0 WHAT 1 -> -ERR syntax error
                """);
    }

    /// The client's next commands are meant for the other database.
    @ParameterizedTest
    @ValueSource(strings = {"SELECT 1", "SELECT 16", "SELECT -1", "MULTI"})
    void aDatabaseThatIsNotThereEndsTheConnection(String line) throws IOException {
        if (line.equals("MULTI")) {
            assertThat(client.ask(line)).isEqualTo("+OK");
        }
        client.raw((line.equals("MULTI") ? "SELECT 2" : line) + "\r\nSET k v\r\n");
        assertThat(client.read()).startsWith("-ERR DB index is out of range");
        assertThat(client.isClosed()).isTrue();
        assertThat(harness.engine.calls()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("conversations")
    void answersAsRedisDoes(String conversation) throws IOException {
        for (String line : conversation.lines().toList()) {
            String[] parts = line.split(" -> ", 2);
            String expected = parts[1];
            String reply = client.ask(words(parts[0]));
            if (expected.startsWith("/")) {
                Pattern pattern = Pattern.compile(expected.substring(1, expected.length() - 1), Pattern.DOTALL);
                assertThat(reply).as(line).matches(pattern);
            } else {
                assertThat(reply).as(line).isEqualTo(expected);
            }
        }
    }

    /// Words with blanks between them; two quotes stand for an empty one.
    private static byte[][] words(String line) {
        return Stream.of(line.split(" "))
                .map(word -> NodeHarness.bytes(word.equals("''") ? "" : word))
                .toArray(byte[][]::new);
    }

    /// The reply is held until the client has read it.
    @ParameterizedTest
    @ValueSource(strings = {"EXPIRE k 10 %s", "HELLO 3 %s", "CLIENT SETINFO %s x", "CLIENT %s", "%s", "GET %s x"})
    void anErrorRepeatsNoMoreThanTheBeginningOfAWord(String command) throws IOException {
        String reply = client.ask(command.formatted("w".repeat(5000)));

        assertThat(reply).startsWith("-ERR ").hasSizeLessThan(400);
    }

    /// Clients learn from it which words are keys, and which commands only read.
    @Test
    void allCommandsAreNamedAndDescribed() throws IOException {
        String list = client.ask("COMMAND LIST");
        List<String> names =
                List.of(list.substring(1, list.length() - 1).replace("\"", "").split(", "));
        assertThat(names).doesNotHaveDuplicates().contains("ping", "command", "get", "mset", "scan", "decrby");
        assertThat(client.ask("COMMAND COUNT")).isEqualTo(":" + names.size());
        assertThat(client.ask("COMMAND"))
                .isEqualTo(client.ask("COMMAND INFO " + String.join(" ", names)))
                .isEqualTo(client.ask("COMMAND INFO"))
                .contains("[\"get\", :2, [+readonly, +fast], :1, :1, :1, ")
                .contains("[\"mset\", :-3, [+write], :1, :-1, :2, ")
                .contains("[\"ping\", :-1, [+fast], :0, :0, :0, ")
                .doesNotContain("nil");
    }

    @Test
    void aCursorGoesThroughAllKeysOnAnyConnection() throws IOException {
        for (int i = 0; i < 95; i++) {
            client.ask("SET key:" + i + " v");
        }
        List<String> seen = new ArrayList<>();
        String cursor = "0";
        do {
            try (RespClient another = new RespClient(harness.node.respPort())) {
                String reply = another.ask("SCAN " + cursor + " COUNT 10");
                String before = cursor;
                cursor = reply.substring(2, reply.indexOf('"', 2));
                assertThat(Long.parseLong(cursor)).isLessThan(1L << 53);
                if (!before.equals("0")) {
                    assertThat(another.ask("SCAN " + before + " COUNT 10"))
                            .as("a client whose reply was lost")
                            .isEqualTo(
                                    cursor.equals("0")
                                            ? "-ERR unknown cursor: the node keeps those of the iterations"
                                                    + " that were used last; begin again with 0"
                                            : reply);
                }
                for (String key : reply.substring(reply.indexOf('[', 1) + 1, reply.indexOf(']'))
                        .split(", ")) {
                    if (!key.isEmpty()) {
                        seen.add(key);
                    }
                }
            }
        } while (!cursor.equals("0"));
        assertThat(seen).hasSize(95).doesNotHaveDuplicates();
    }

    @Test
    void keysAndValuesAreAnyBytes() throws IOException {
        byte[] key = {0, '\r', '\n', (byte) 0xff};
        byte[] value = {'\n', 0, (byte) 0x80};
        assertThat(client.ask(bytes("SET"), key, value)).isEqualTo("+OK");
        assertThat(client.ask(bytes("GET"), key)).isEqualTo("\"\n\0\u0080\"");
        assertThat(client.ask(bytes("SET"), key, new byte[0])).isEqualTo("+OK");
        assertThat(client.ask(bytes("GET"), key)).isEqualTo("\"\"");
        assertThat(client.ask(bytes("SET"), new byte[0], value))
                .isEqualTo("-ERR key of 0 bytes; 1 to 65536 are allowed");
        assertThat(client.ask(bytes("MGET"), bytes("k"), new byte[65_537]))
                .isEqualTo("-ERR key of 65537 bytes; 1 to 65536 are allowed");
        assertThat(client.ask("PING")).isEqualTo("+PONG");
    }

    @Test
    void aLongValueComesBackWhole() throws IOException {
        byte[] value = new byte[3 << 20];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) ('a' + i % 23);
        }
        String text = new String(value, StandardCharsets.ISO_8859_1);
        assertThat(client.ask(bytes("MSET"), bytes("a"), value, bytes("b"), bytes("short"), bytes("c"), value))
                .isEqualTo("+OK");
        assertThat(client.ask("GET a")).isEqualTo('"' + text + '"');
        assertThat(client.ask("MGET a b c")).isEqualTo("[\"" + text + "\", \"short\", \"" + text + "\"]");
        assertThat(client.ask("STRLEN a")).isEqualTo(":" + value.length);
        assertThat(client.ask("EXPIRE a 100")).isEqualTo(":1");
        assertThat(client.ask("SET a new GET")).isEqualTo('"' + text + '"');
        assertThat(client.ask("GETEX c EX 100")).isEqualTo('"' + text + '"');
        assertThat(client.ask("GETDEL c")).isEqualTo('"' + text + '"');
        assertThat(client.ask("EXISTS c")).isEqualTo(":0");
    }

    @Test
    void httpAndRespSeeTheSameKeys() throws IOException {
        RawClient http = harness.client();
        assertThat(http.exchange(NodeHarness.put("k", "over-http")).status()).isEqualTo(201);
        assertThat(client.ask("GET k")).isEqualTo("\"over-http\"");
        client.ask("SET k over-resp");
        assertThat(http.exchange(NodeHarness.get("k")).text()).isEqualTo("over-resp");
    }

    @Test
    void linesThatAPersonTypesAreCommands() throws IOException {
        client.raw("set k \"a b\\x41\\n\"\r\n\r\nget k\r\nget 'k\r\n");
        assertThat(client.read()).isEqualTo("+OK");
        assertThat(client.read()).isEqualTo("\"a bA\n\"");
        assertThat(client.read()).isEqualTo("-ERR Protocol error: unbalanced quotes in request");
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void quitEndsTheConnectionBehindItsReply() throws IOException {
        client.raw(RespClient.command("SET k v"))
                .raw(RespClient.command("QUIT"))
                .raw(RespClient.command("GET k"));
        assertThat(client.read()).isEqualTo("+OK");
        assertThat(client.read()).isEqualTo("+OK");
        assertThat(client.isClosed()).isTrue();
    }

    private static byte[] bytes(String text) {
        return NodeHarness.bytes(text);
    }
}
