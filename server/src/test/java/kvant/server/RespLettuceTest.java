package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.GetExArgs;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.KeyValue;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import kvant.engine.Durability;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import kvant.server.admit.AdmissionOptions;
import kvant.server.http.tls.TlsContext.TlsFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A Java program with Lettuce, in either version of the protocol, over TLS and with tokens.
@Timeout(180)
class RespLettuceTest {

    private static final int PIPELINE = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder = Path.of("");

    private final String writer = TokenSecret.generate(new SecureRandom());
    private final String reader = TokenSecret.generate(new SecureRandom());
    private final List<RedisClient> clients = new ArrayList<>();
    private LsmEngine engine;
    private Node node;

    @BeforeEach
    void start() throws Exception {
        Files.write(
                folder.resolve("tokens"),
                List.of(
                        TokenFile.line("writer", EnumSet.of(Scope.READ, Scope.WRITE), writer, 0),
                        TokenFile.line("reader", EnumSet.of(Scope.READ), reader, 0)));
        Files.writeString(folder.resolve("key"), TestCertificates.NODE.keyPem());
        Files.writeString(folder.resolve("cert"), TestCertificates.NODE.certificatePem());
        LsmOptions options = LsmOptions.defaults().withDurability(Durability.parse("none"));
        engine = LsmEngine.open(folder.resolve("data"), options.with(o -> o.headroomBytes = 0));
        node = Node.start(
                NodeOptions.defaults().with(o -> {
                    o.port = 0;
                    o.respPort = 0;
                    o.admission = AdmissionOptions.none(); // a wait for a core is no reason to be turned away
                    o.access = o.access.with(a -> {
                        a.tokens = folder.resolve("tokens");
                        a.tls = new TlsFiles(folder.resolve("cert"), folder.resolve("key"), null, false);
                    });
                }),
                engine);
    }

    @AfterEach
    void stop() {
        clients.forEach(client -> client.shutdown(Duration.ZERO, PATIENCE));
        node.close();
        engine.close();
    }

    private RedisClient client(ProtocolVersion version, String token) {
        RedisURI uri = RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(node.respPort())
                .withSsl(true)
                .withAuthentication("default", token)
                .withTimeout(PATIENCE)
                .build();
        RedisClient client = RedisClient.create(uri);
        clients.add(client);
        client.setOptions(ClientOptions.builder()
                .protocolVersion(version)
                .autoReconnect(false)
                .sslOptions(SslOptions.builder()
                        .jdkSslProvider()
                        .trustManager(folder.resolve("cert").toFile())
                        .build())
                .build());
        return client;
    }

    private RedisCommands<String, String> connect(ProtocolVersion version, String token) {
        return client(version, token).connect().sync();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void stringsAreWrittenAndRead(ProtocolVersion version) {
        RedisCommands<String, String> commands = connect(version, writer);
        assertThat(commands.ping()).isEqualTo("PONG");
        assertThat(commands.set("k", "one")).isEqualTo("OK");
        assertThat(commands.get("k")).isEqualTo("one");
        assertThat(commands.get("missing")).isNull();
        assertThat(commands.set("k", "x", SetArgs.Builder.nx())).isNull();
        assertThat(commands.set("missing", "x", SetArgs.Builder.xx())).isNull();
        assertThat(commands.setGet("k", "two")).isEqualTo("one");
        assertThat(commands.strlen("k")).isEqualTo(3);
        assertThat(commands.mset(Map.of("a", "1", "b", "2"))).isEqualTo("OK");
        assertThat(commands.mget("a", "missing", "b"))
                .containsExactly(KeyValue.just("a", "1"), KeyValue.empty("missing"), KeyValue.just("b", "2"));
        assertThat(commands.exists("a", "b", "missing")).isEqualTo(2);
        assertThat(commands.incr("n")).isEqualTo(1);
        assertThat(commands.incrby("n", 10)).isEqualTo(11);
        assertThat(commands.decr("n")).isEqualTo(10);
        assertThat(commands.del("a", "b", "missing")).isEqualTo(2);
        byte[] every = new byte[256];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) i;
        }
        RedisCommands<byte[], byte[]> bytes =
                clients.getFirst().connect(ByteArrayCodec.INSTANCE).sync();
        assertThat(bytes.set(every, every)).isEqualTo("OK");
        assertThat(bytes.get(every)).isEqualTo(every);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void livesEnd(ProtocolVersion version) {
        RedisCommands<String, String> commands = connect(version, writer);
        assertThat(commands.set("k", "v", SetArgs.Builder.ex(100))).isEqualTo("OK");
        assertThat(commands.ttl("k")).isBetween(90L, 100L);
        assertThat(commands.set("k", "w", SetArgs.Builder.keepttl())).isEqualTo("OK");
        assertThat(commands.pttl("k")).isBetween(90_000L, 100_000L);
        assertThat(commands.persist("k")).isTrue();
        assertThat(commands.ttl("k")).isEqualTo(-1);
        assertThat(commands.expire("k", Duration.ofHours(1))).isTrue();
        assertThat(commands.expire("missing", Duration.ofHours(1))).isFalse();
        assertThat(commands.setex("k", 100, "x")).isEqualTo("OK");
        assertThat(commands.psetex("k", 60_000, "y")).isEqualTo("OK");
        assertThat(commands.ttl("k")).isEqualTo(60);
        assertThat(commands.setnx("k", "z")).isFalse();
        assertThat(commands.getset("k", "z")).isEqualTo("y");
        assertThat(commands.getex("k", GetExArgs.Builder.ex(100))).isEqualTo("z");
        assertThat(commands.ttl("k")).isBetween(90L, 100L);
        assertThat(commands.getex("k", GetExArgs.Builder.persist())).isEqualTo("z");
        assertThat(commands.getdel("k")).isEqualTo("z");
        assertThat(commands.setnx("k", "v")).isTrue();
        assertThat(commands.pexpire("k", Duration.ofMillis(1))).isTrue();
        await().until(() -> commands.get("k") == null);
        assertThat(commands.ttl("k")).isEqualTo(-2);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void keysAreScannedInTheirOrder(ProtocolVersion version) {
        RedisCommands<String, String> commands = connect(version, writer);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            keys.add(String.format("user:%03d", i));
            commands.set(keys.getLast(), "v");
        }
        commands.set("z", "v");
        ScanArgs users = ScanArgs.Builder.matches("user:*").limit(7);
        List<String> found = new ArrayList<>();
        ScanIterator.scan(commands, users).forEachRemaining(found::add);
        assertThat(found).isEqualTo(keys);
        KeyScanCursor<String> first = commands.scan(users);
        assertThat(first.getKeys()).hasSize(7);
        assertThat(first.isFinished()).isFalse();
        assertThat(commands.scan(ScanCursor.of(first.getCursor()), users).getKeys())
                .isEqualTo(keys.subList(7, 14));
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void aPipelineIsAnsweredInItsOrder(ProtocolVersion version) {
        StatefulRedisConnection<String, String> connection =
                client(version, writer).connect();
        RedisAsyncCommands<String, String> commands = connection.async();
        connection.setAutoFlushCommands(false);
        List<RedisFuture<?>> replies = new ArrayList<>();
        List<RedisFuture<String>> values = new ArrayList<>();
        for (int i = 0; i < PIPELINE; i++) {
            replies.add(commands.set("p" + i, "first"));
            replies.add(commands.set("p" + i, "v" + i));
            replies.add(commands.incr("together"));
            values.add(commands.get("p" + i));
        }
        connection.flushCommands();
        connection.setAutoFlushCommands(true);
        assertThat(LettuceFutures.awaitAll(PATIENCE, replies.toArray(RedisFuture[]::new)))
                .isTrue();
        for (int i = 0; i < PIPELINE; i++) {
            assertThat(values.get(i).toCompletableFuture().join()).isEqualTo("v" + i);
        }
        assertThat(connection.sync().get("together")).isEqualTo(String.valueOf(PIPELINE));
    }

    /// Several connections count in one key.
    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void noIncrementOfManyClientsIsLost(ProtocolVersion version) {
        RedisClient client = client(version, writer);
        List<RedisFuture<?>> replies = new ArrayList<>();
        for (int c = 0; c < 4; c++) {
            RedisAsyncCommands<String, String> commands = client.connect().async();
            for (int i = 0; i < PIPELINE; i++) {
                replies.add(commands.incr("counter"));
            }
        }
        assertThat(LettuceFutures.awaitAll(PATIENCE, replies.toArray(RedisFuture[]::new)))
                .isTrue();
        assertThat(client.connect().sync().get("counter")).isEqualTo(String.valueOf(4 * PIPELINE));
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void whatIsNotAllowedOrNotThereIsAnErrorOfLettuce(ProtocolVersion version) throws IOException {
        RedisCommands<String, String> commands = connect(version, reader);
        assertThat(commands.get("k")).isNull();
        assertThatThrownBy(() -> commands.set("k", "v"))
                .isInstanceOf(RedisCommandExecutionException.class)
                .hasMessageStartingWith("NOPERM ");
        assertThatThrownBy(() -> commands.hset("h", "f", "v"))
                .isInstanceOf(RedisCommandExecutionException.class)
                .hasMessageStartingWith("ERR unknown command");
        assertThat(commands.ping()).as("the connection goes on").isEqualTo("PONG");
        assertThatThrownBy(() -> connect(version, TokenSecret.generate(new SecureRandom())))
                .hasRootCauseInstanceOf(RedisCommandExecutionException.class)
                .rootCause()
                .hasMessageStartingWith("WRONGPASS ");
    }
}
