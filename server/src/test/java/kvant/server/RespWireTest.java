package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Input that is no RESP, too large or too slow.
class RespWireTest {

    private static NodeHarness node(Consumer<HttpLimits.Draft> change) {
        HttpLimits limits = HttpLimits.defaults().with(change);
        return new NodeHarness(
                options -> options.withExecutor(ExecutorKind.ADAPTIVE).with(o -> {
                    o.respPort = 0;
                    o.limits = limits;
                }));
    }

    static List<Arguments> wrong() {
        return List.of(
                Arguments.of("*x\r\n", "invalid multibulk length"),
                Arguments.of("*1\n", "invalid multibulk length"),
                Arguments.of("*99999999999999999999999\r\n", "invalid multibulk length"),
                Arguments.of("*1048577\r\n", "invalid multibulk length"),
                Arguments.of("*2147483648\r\n", "invalid multibulk length"),
                Arguments.of("*1\r\n*1\r\n$4\r\nPING\r\n", "expected '$', got '*'"),
                Arguments.of("*1\r\n:5\r\n", "expected '$', got ':'"),
                Arguments.of("*1\r\n$-1\r\n", "invalid bulk length"),
                Arguments.of("*1\r\n$x\r\n", "invalid bulk length"),
                Arguments.of("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$536870912\r\n", "invalid bulk length"),
                Arguments.of("*1\r\n$4\r\nPINGxx*1\r\n", "expected CR LF behind a bulk string"),
                Arguments.of("get \"k\r\n", "unbalanced quotes in request"),
                Arguments.of("x".repeat(17_000), "too big inline request"),
                Arguments.of("x".repeat(17_000) + "\r\n", "too big inline request"),
                Arguments.of("POST /v0/batch HTTP/1.1\r\n", "this is HTTP, and the port is for RESP"),
                Arguments.of("Host: example.org\r\n", "this is HTTP, and the port is for RESP"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void whatIsNoRespIsSaidAndEndsTheConnection(String bytes, String said) throws IOException {
        try (NodeHarness harness = node(_ -> {});
                RespClient client = new RespClient(harness.node.respPort())) {
            client.raw(RespClient.command("SET a 1")).raw(bytes).raw(RespClient.command("SET b 2"));
            assertThat(client.read()).as("what came before").isEqualTo("+OK");
            assertThat(client.read()).isEqualTo("-ERR Protocol error: " + said);
            assertThat(client.isClosed()).isTrue();
            assertThat(harness.engine.stored(NodeHarness.bytes("b"))).isNull();
        }
    }

    @Test
    void emptyArraysAndLinesAreNoCommands() throws IOException {
        try (NodeHarness harness = node(_ -> {});
                RespClient client = new RespClient(harness.node.respPort())) {
            client.raw("*0\r\n*-1\r\n\r\n  \r\n*1\r\n$4\r\nPING\r\n");
            assertThat(client.read()).isEqualTo("+PONG");
        }
    }

    /// An error repeats a client's words unchanged, but their line ends do not end its line.
    @Test
    void anErrorIsOneLine() throws IOException {
        try (NodeHarness harness = node(_ -> {});
                RespClient client = new RespClient(harness.node.respPort())) {
            String word =
                    new String("НЕТ".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1); // byte by byte
            assertThat(client.ask(NodeHarness.bytes(word)))
                    .isEqualTo("-ERR unknown command '" + word + "', with args beginning with: ");
            assertThat(client.ask(NodeHarness.bytes("NO\r\n+OK"), NodeHarness.bytes("\r\n:1")))
                    .isEqualTo("-ERR unknown command 'NO  +OK', with args beginning with: '  :1' ");
            assertThat(client.ask("PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void aCommandWithoutMemoryIsRefusedAndTheConnectionGoesOn() throws Exception {
        try (NodeHarness harness = node(l -> l.maxBufferedBodyBytes = 1 << 20);
                RespClient large = new RespClient(harness.node.respPort());
                RespClient client = new RespClient(harness.node.respPort())) {
            byte[] half = new byte[600_000];
            large.raw("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1000000\r\n").raw(half);
            await().until(() -> harness.node.memory().bodies().claimedBytes() >= half.length);
            assertThat(client.ask(NodeHarness.bytes("SET"), NodeHarness.bytes("b"), half))
                    .isEqualTo("-TRYAGAIN the node has as much work as it may hold; nothing was executed");
            assertThat(client.ask("SET b small")).isEqualTo("+OK");
            large.raw(new byte[400_000]).raw("\r\n");
            assertThat(large.read()).isEqualTo("+OK");
            assertThat(client.ask("STRLEN a")).isEqualTo(":1000000");
            await().until(() -> harness.node.memory().bodies().claimedBytes() == 0);
        }
    }

    static List<Arguments> tooLong() {
        int most = 100_000;
        String word = "argument of " + (most + 1) + " bytes; " + most + " are allowed";
        String all = "arguments of more than " + (most + (64 << 10)) + " bytes together";
        return List.of(
                Arguments.of(List.of("SET", "k", "v".repeat(most + 1)), word),
                Arguments.of(List.of("SET", "k", "v", "v".repeat(most + 1), "EX", "10"), word),
                Arguments.of(List.of("GET", "k".repeat(most + 1)), word),
                Arguments.of(List.of("k".repeat(most + 1)), word),
                Arguments.of(List.of("MSET", "a", "v".repeat(most), "b", "v".repeat(64 << 10)), all),
                Arguments.of(List.of("MSET", "a", "v".repeat(most), "b", "v".repeat(64 << 10), "c", ""), all));
    }

    /// It is skipped, and the connection continues: not even a part of it is kept.
    @ParameterizedTest
    @MethodSource("tooLong")
    void whatIsTooLongIsRefused(List<String> words, String said) throws IOException {
        try (NodeHarness harness = node(l -> l.maxBodyBytes = 100_000);
                LoggedLines log = new LoggedLines("kvant");
                RespClient client = new RespClient(harness.node.respPort())) {
            byte[][] command = words.stream().map(NodeHarness::bytes).toArray(byte[][]::new);
            assertThat(client.raw(RespClient.command(command)).ask("SET z 1"))
                    .isEqualTo("-ERR " + said + "; nothing was executed");
            assertThat(client.read()).isEqualTo("+OK");
            assertThat(client.ask(NodeHarness.bytes("SET"), NodeHarness.bytes("k"), new byte[100_000]))
                    .isEqualTo("+OK");
            assertThat(client.ask("STRLEN k")).isEqualTo(":100000");
            assertThat(client.ask("EXISTS a b")).isEqualTo(":0");
            assertThat(log.lines()).isEmpty();
        }
    }

    /// More than an engine stores, whatever the node takes; more than Redis takes ends the connection.
    @Test
    void aValueOverTheLimitIsRefused() throws IOException {
        try (NodeHarness harness = node(l -> l.maxBodyBytes = 256 << 20);
                LoggedLines log = new LoggedLines("kvant");
                RespClient client = new RespClient(harness.node.respPort())) {
            int bytes = (64 << 20) + 1;
            client.raw("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$" + bytes + "\r\n");
            for (int sent = 0; sent < bytes - 1; sent += 1 << 20) {
                client.raw(new byte[1 << 20]);
            }
            assertThat(client.raw("x\r\n").read())
                    .isEqualTo("-ERR argument of 67108865 bytes; 67108864 are allowed; nothing was executed");
            assertThat(client.ask("GET k")).isEqualTo("nil");
            assertThat(harness.node.memory().bodies().claimedBytes()).isZero();
            assertThat(log.lines()).isEmpty();
        }
    }

    /// Many short words: their memory is claimed as that of a long one.
    @Test
    void wordsAreClaimedAsTheyArrive() throws Exception {
        try (NodeHarness harness = node(_ -> {});
                RespClient client = new RespClient(harness.node.respPort())) {
            StringBuilder begun = new StringBuilder("*20001\r\n$4\r\nMSET\r\n");
            for (int i = 0; i < 10_000; i++) {
                begun.append("$3\r\nkey\r\n");
            }
            client.raw(begun.toString());
            await().until(() -> harness.node.memory().bodies().claimedBytes() >= 10_000 * 27);
            for (int i = 0; i < 10_000; i++) {
                client.raw("$1\r\nv\r\n");
            }
            assertThat(client.read()).isEqualTo("+OK");
            await().until(() -> harness.node.memory().bodies().claimedBytes() == 0);
        }
    }

    @Test
    void aCommandThatDoesNotArriveEndsTheConnection() throws Exception {
        try (NodeHarness harness = node(l -> {
                    l.headTimeout = Duration.ofMillis(300);
                    l.stallTimeout = Duration.ofMillis(300);
                });
                RespClient word = new RespClient(harness.node.respPort());
                RespClient array = new RespClient(harness.node.respPort());
                RespClient between = new RespClient(harness.node.respPort());
                RespClient behind = new RespClient(harness.node.respPort());
                RespClient dripping = new RespClient(harness.node.respPort());
                RespClient body = new RespClient(harness.node.respPort())) {
            word.raw("*2\r\n$3\r\nGET\r\n$5\r\nk");
            array.raw("*2\r\n");
            between.raw("*2\r\n$3\r\nGET\r\n");
            behind.raw("*3\r\n$3\r\nSET\r\n$20000\r\n" + "k".repeat(20_000) + "\r\n");
            dripping.raw("*20001\r\n$4\r\nMGET\r\n");
            body.raw("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$100000\r\nvalue");
            await().pollInterval(Duration.ofMillis(20)).until(() -> {
                dripping.raw("$1\r\nk\r\n");
                return dripping.socket().getInputStream().available() > 0;
            });
            for (RespClient slow : List.of(word, array, between, behind, dripping, body)) {
                assertThat(slow.read()).isEqualTo("-ERR Protocol error: the command did not arrive in time");
                assertThat(slow.isClosed()).isTrue();
            }
            await().until(() -> harness.node.memory().bodies().claimedBytes() == 0
                    && harness.node.memory().unread().claimedBytes() == 0);
        }
    }

    /// A command for which memory is claimed may pause for as long as a body may.
    @Test
    void aLongCommandHasTheTimeOfABody() throws Exception {
        try (NodeHarness harness = node(l -> l.headTimeout = Duration.ofMillis(300));
                RespClient patient = new RespClient(harness.node.respPort());
                RespClient other = new RespClient(harness.node.respPort())) {
            patient.raw("*3\r\n$3\r\nSET\r\n$1000\r\n" + "k".repeat(1_000) + "\r\n");
            await().until(() -> harness.node.memory().bodies().claimedBytes() > 0);
            other.raw("*2\r\n$3\r\nGET\r\n");
            assertThat(other.read()).as("its time is over").startsWith("-ERR Protocol error");
            assertThat(patient.raw("$1\r\nv\r\n").read()).isEqualTo("+OK");
        }
    }

    /// A client that stops between two words holds memory, and is closed first where another needs it.
    @Test
    void aCommandThatStopsBetweenTwoWordsGivesWay() throws Exception {
        try (NodeHarness harness = node(l -> {
                    l.headTimeout = Duration.ofMinutes(5);
                    l.maxBufferedBodyBytes = 1 << 20;
                });
                RespClient idle = new RespClient(harness.node.respPort());
                RespClient client = new RespClient(harness.node.respPort())) {
            byte[] value = new byte[600_000];
            idle.raw("*3\r\n$3\r\nSET\r\n$600000\r\n").raw(value).raw("\r\n");
            await().until(() -> harness.node.memory().bodies().claimedBytes() >= value.length);
            await().until(() -> client.ask(NodeHarness.bytes("SET"), NodeHarness.bytes("b"), value)
                    .equals("+OK"));
            assertThat(idle.read()).startsWith("-TRYAGAIN ");
            assertThat(idle.isClosed()).isTrue();
        }
    }

    @Test
    void moreRequestsInFlightThanThereMayBeAreRefused() throws Exception {
        try (NodeHarness harness = node(l -> l.maxInFlight = 2);
                RespClient client = new RespClient(harness.node.respPort())) {
            MemoryEngine.Gate gate = new MemoryEngine.Gate();
            harness.engine.blockCommits(gate);
            client.raw(RespClient.command("SET a 1")).raw(RespClient.command("SET b 1"));
            await().until(() -> gate.waiting() == 1);
            gate.open();
            assertThat(client.read()).isEqualTo("+OK");
            assertThat(client.read())
                    .isEqualTo("-TRYAGAIN the node has as much work as it may hold; nothing was executed");
            assertThat(client.ask("GET a")).isEqualTo("\"1\"");
        }
    }

    /// Both ports together.
    @Test
    void connectionsAreBoundedWithThoseOfHttp() throws Exception {
        try (NodeHarness harness = node(l -> l.maxConnectionsPerAddress = 2);
                RespClient client = new RespClient(harness.node.respPort())) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
            assertThat(harness.client().exchange(NodeHarness.get("k")).status()).isEqualTo(404);
            try (RespClient third = new RespClient(harness.node.respPort())) {
                assertThatThrownByOrClosed(third);
            }
            assertThat(client.ask("PING")).isEqualTo("+PONG");
        }
    }

    private static void assertThatThrownByOrClosed(RespClient client) {
        assertThatThrownBy(() -> client.ask("PING")).isInstanceOf(IOException.class);
    }

    @Test
    void figuresTellOfTheSecondPort() throws Exception {
        try (NodeHarness harness = node(_ -> {});
                RespClient client = new RespClient(harness.node.respPort())) {
            client.ask("SET k v");
            client.ask("GET k");
            client.ask("MGET k none");
            client.ask("DEL k");
            client.ask("NOTHING");
            assertThat(harness.figure("kvant_resp_connections")).isEqualTo(1);
            assertThat(harness.figure("kvant_resp_commands_total{result=\"ok\"}"))
                    .isEqualTo(4);
            assertThat(harness.figure("kvant_resp_commands_total{result=\"error\"}"))
                    .isEqualTo(1);
            assertThat(harness.figure("kvant_requests_total{operation=\"put\",result=\"ok\"}"))
                    .isEqualTo(1);
            assertThat(harness.figure("kvant_requests_total{operation=\"get\",result=\"ok\"}"))
                    .isEqualTo(2);
            assertThat(harness.figure("kvant_requests_total{operation=\"get\",result=\"miss\"}"))
                    .isEqualTo(1);
            assertThat(harness.figure("kvant_requests_total{operation=\"delete\",result=\"ok\"}"))
                    .isEqualTo(1);
            assertThat(harness.node.slowRequests(false)).contains("put").contains("k");
        }
    }
}
