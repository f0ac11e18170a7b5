package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Access control at the port for RESP.
class RespAccessTest {

    @TempDir
    Path folder;

    private final String reader = TokenSecret.generate(new SecureRandom());
    private final String writer = TokenSecret.generate(new SecureRandom());
    private final String limited = TokenSecret.generate(new SecureRandom());

    @BeforeEach
    void writeTokens() throws IOException {
        write(TokenFile.line("reader", EnumSet.of(Scope.READ), reader, 0));
    }

    private void write(String first) throws IOException {
        Files.write(
                folder.resolve("tokens"),
                List.of(
                        first,
                        TokenFile.line("writer", EnumSet.of(Scope.WRITE), writer, 0),
                        TokenFile.line("limited", EnumSet.of(Scope.READ), limited, 1)));
    }

    private NodeHarness node() {
        return new NodeHarness(options -> options.withExecutor(ExecutorKind.ADAPTIVE)
                .with(o -> {
                    o.respPort = 0;
                    o.access = o.access.with(a -> a.tokens = folder.resolve("tokens"));
                }));
    }

    @Test
    void whoHasNoTokenLearnsNothing() throws IOException {
        try (NodeHarness harness = node();
                RespClient client = new RespClient(harness.node.respPort())) {
            for (String line :
                    List.of("GET k", "SET k v", "PING", "INFO", "SCAN 0", "CLIENT LIST", "COMMAND", "NOTHING", "GET")) {
                assertThat(client.ask(line)).as(line).isEqualTo("-NOAUTH Authentication required.");
            }
            assertThat(client.ask("HELLO 3")).startsWith("-NOAUTH HELLO must be called");
            assertThat(client.ask("AUTH wrong")).startsWith("-WRONGPASS ");
            assertThat(client.ask("HELLO 3 AUTH default wrong")).startsWith("-WRONGPASS ");
            assertThat(client.ask("AUTH nobody " + reader)).startsWith("-WRONGPASS ");
            assertThat(client.ask("GET k")).isEqualTo("-NOAUTH Authentication required.");
            assertThat(harness.engine.calls()).isEmpty();
            assertThat(client.ask("QUIT")).isEqualTo("+OK");
        }
    }

    /// As Redis has it: a transaction that could not begin is none.
    @Test
    void withoutATokenThereIsNoTransaction() throws IOException {
        try (NodeHarness harness = node();
                RespClient client = new RespClient(harness.node.respPort())) {
            for (String line : List.of("MULTI", "SET k v", "EVAL x 0", "WATCH k", "EXEC", "EXEC", "DISCARD", "MULTI")) {
                assertThat(client.ask(line)).as(line).isEqualTo("-NOAUTH Authentication required.");
            }
            assertThat(harness.engine.calls()).isEmpty();
            assertThat(client.ask("AUTH " + writer)).isEqualTo("+OK");
            assertThat(client.ask("EXEC")).isEqualTo("-ERR EXEC without MULTI");
            assertThat(client.ask("SET k v")).isEqualTo("+OK");
            assertThat(client.ask("HELLO 3 SETNAME me")).startsWith("{");
            assertThat(client.ask("RESET")).isEqualTo("+RESET");
            assertThat(client.ask("SET k v")).isEqualTo("-NOAUTH Authentication required.");
            assertThat(client.ask("AUTH " + writer)).isEqualTo("+OK");
            assertThat(client.ask("CLIENT LIST")).contains(" name= ").contains(" resp=2 ");
        }
    }

    @Test
    void toEmptyTheStoreNeedsTheScopeAdmin() throws IOException {
        try (NodeHarness harness = node();
                RespClient client = new RespClient(harness.node.respPort())) {
            assertThat(client.ask("AUTH " + writer)).isEqualTo("+OK");
            for (String line : List.of("FLUSHALL", "FLUSHDB ASYNC")) {
                assertThat(client.ask(line)).startsWith("-NOPERM this token has no scope 'admin'");
            }
            assertThat(client.ask("SET k v IFEQ v")).startsWith("-NOPERM ");
            assertThat(client.ask("DELIFEQ k v")).startsWith("-NOPERM ");
            assertThat(harness.engine.calls()).isEmpty();
        }
    }

    /// Each command of a transaction needs its own scope, when it is queued; one that lacks it ends the whole.
    @Test
    void aTransactionNeedsTheScopesOfItsCommands() throws IOException {
        try (NodeHarness harness = node();
                RespClient client = new RespClient(harness.node.respPort())) {
            assertThat(client.ask("AUTH " + writer)).isEqualTo("+OK");
            assertThat(client.ask("MULTI")).isEqualTo("+OK");
            assertThat(client.ask("SET k v")).isEqualTo("+QUEUED");
            assertThat(client.ask("GET k")).startsWith("-NOPERM ");
            assertThat(client.ask("EXEC")).startsWith("-EXECABORT ");
            assertThat(client.ask("WATCH k")).startsWith("-NOPERM ");
            assertThat(client.ask("MULTI")).isEqualTo("+OK");
            assertThat(client.ask("SET k v")).isEqualTo("+QUEUED");
            assertThat(client.ask("EXEC")).as("it was to be guarded").startsWith("-EXECABORT ");
            assertThat(harness.engine.calls()).isEmpty();
            assertThat(client.ask("MULTI")).isEqualTo("+OK");
            assertThat(client.ask("SET k v")).isEqualTo("+QUEUED");
            assertThat(client.ask("EXEC")).isEqualTo("[+OK]");
        }
    }

    @Test
    void whoHasNotSaidWhoItIsMaySendLittle() throws IOException {
        try (NodeHarness harness = node()) {
            String half = "$8192\r\n" + "a".repeat(8_192) + "\r\n";
            for (String bytes :
                    List.of("*11\r\n", "*2\r\n$4\r\nAUTH\r\n$16385\r\n", "*3\r\n$4\r\nAUTH\r\n" + half + "$8192\r\n")) {
                try (RespClient client = new RespClient(harness.node.respPort())) {
                    assertThat(client.raw(bytes).read()).startsWith("-ERR Protocol error: unauthenticated ");
                    assertThat(client.isClosed()).isTrue();
                }
            }
        }
    }

    @Test
    void eachScopeAllowsItsCommandsAndNoOthers() throws IOException {
        try (NodeHarness harness = node();
                RespClient reads = new RespClient(harness.node.respPort());
                RespClient writes = new RespClient(harness.node.respPort())) {
            assertThat(reads.ask("AUTH " + reader)).isEqualTo("+OK");
            assertThat(writes.ask("HELLO 3 AUTH writer " + writer)).startsWith("{");
            for (String line : List.of(
                    "SET k v",
                    "MSET k v",
                    "DEL k",
                    "EXPIRE k 1",
                    "PERSIST k",
                    "INCR k",
                    "SETEX k 1 v",
                    "PSETEX k 1 v",
                    "SETNX k v",
                    "GETSET k v",
                    "GETDEL k",
                    "GETEX k",
                    "GETEX k EX 1")) {
                assertThat(reads.ask(line)).as(line).startsWith("-NOPERM this token has no scope 'write'");
            }
            assertThat(writes.ask("SET k v")).isEqualTo("+OK");
            assertThat(writes.ask("EXPIRE k 100")).isEqualTo(":1");
            assertThat(writes.ask("SETEX k 100 v")).isEqualTo("+OK");
            assertThat(writes.ask("SETNX k w")).isEqualTo(":0");
            for (String line : List.of(
                    "GET k",
                    "MGET k",
                    "EXISTS k",
                    "STRLEN k",
                    "TTL k",
                    "SCAN 0",
                    "INCR k",
                    "SET k v GET",
                    "GETSET k v",
                    "GETDEL k",
                    "GETEX k",
                    "GETEX k EX 1")) {
                assertThat(writes.ask(line)).as(line).startsWith("-NOPERM ").contains("'read'");
            }
            assertThat(reads.ask("GET k")).isEqualTo("\"v\"");
            assertThat(reads.ask("CLIENT LIST")).contains("user=reader").doesNotContain(reader);
        }
    }

    @Test
    void aTokenThatIsTakenOutIsRefusedWithTheNextCommand() throws IOException {
        try (NodeHarness harness = node();
                RespClient client = new RespClient(harness.node.respPort())) {
            assertThat(client.ask("AUTH " + reader)).isEqualTo("+OK");
            assertThat(client.ask("GET k")).isEqualTo("nil");
            write("# nobody");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> client.ask("GET k").equals("-NOAUTH Authentication required."));
            write(TokenFile.line("reader", EnumSet.of(Scope.READ), reader, 0));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> client.ask("GET k").equals("nil"));
        }
    }

    @Test
    void aTokenWithARateIsToldToTryAgain() throws IOException {
        try (NodeHarness harness = node();
                RespClient client = new RespClient(harness.node.respPort())) {
            client.ask("AUTH " + limited);
            List<String> replies = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                replies.add(client.ask("GET k"));
            }
            assertThat(replies).contains("nil", "-TRYAGAIN the token has used up its rate; nothing was executed");
        }
    }

    @Test
    void aNodeThatIsReadOnlyRefusesWritesAlone() throws IOException {
        try (NodeHarness harness = new NodeHarness(
                        options -> options.withExecutor(ExecutorKind.ADAPTIVE).with(o -> {
                            o.respPort = 0;
                            o.readOnly = true;
                        }));
                RespClient client = new RespClient(harness.node.respPort())) {
            harness.node.readOnly(false);
            assertThat(client.ask("SET k 1")).isEqualTo("+OK");
            harness.node.readOnly(true);
            for (String line : List.of(
                    "SET k v",
                    "MSET k v",
                    "DEL k",
                    "DEL k l",
                    "INCR k",
                    "SET k v GET",
                    "SETEX k 1 v",
                    "PSETEX k 1 v",
                    "SETNX k v",
                    "GETSET k v",
                    "GETDEL k",
                    "GETEX k EX 10")) {
                assertThat(client.ask(line))
                        .as(line)
                        .isEqualTo("-READONLY the node is read-only: writes are refused, reads continue");
            }
            for (String line : List.of("GETDEL missing", "GETEX missing EX 10")) {
                assertThat(client.ask(line)).as(line).isEqualTo("nil");
            }
            assertThat(client.ask("GET k")).isEqualTo("\"1\"");
            harness.node.readOnly(false);
            assertThat(client.ask("INCR k")).isEqualTo(":2");
        }
    }
}
