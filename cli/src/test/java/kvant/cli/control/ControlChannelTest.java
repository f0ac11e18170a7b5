package kvant.cli.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.cli.control.ControlClient.ControlSocket;
import kvant.cli.control.ControlServer.NodeControl;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.Inspection;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Maintenance;
import kvant.engine.RecordSink;
import kvant.engine.Write;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The commands and answers of the control channel, and the requests that it refuses.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ControlChannelTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final ScriptedEngine engine = new ScriptedEngine();
    private final List<String> out = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();
    private final ToldNode node = new ToldNode();
    private @Nullable ControlServer server;

    /// An engine with nothing but maintenance, whose results the test sets.
    private static final class ScriptedEngine implements LocalEngine, Maintenance {
        final List<Path> targets = new ArrayList<>();
        final AtomicInteger running = new AtomicInteger();
        final CountDownLatch compacting = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(1);

        @Nullable
        RuntimeException failure;

        volatile boolean writes = true;

        @Override
        public Maintenance maintenance() {
            return this;
        }

        @Override
        public Inspection inspect() {
            List<Inspection.Content> tables = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                tables.add(new Inspection.Content(0, i + ".table", 1, 1_500_000, 1_000_000, 3, 5, 9));
            }
            Inspection.Figure figure = new Inspection.Figure("odd \"name\"", Inspection.Unit.RATIO, 1.25);
            return new Inspection("scripted", List.of(figure), tables, tables, List.of());
        }

        @Override
        public void checkpoint(Path target, Progress progress) {
            targets.add(target);
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public void compact(Progress progress) {
            running.incrementAndGet();
            compacting.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            for (int i = 0; i < 3; i++) {
                progress.line(i + " left\nand a line feed");
            }
            ended.countDown();
        }

        @Override
        public Lookup tryGet(byte[] key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void read(List<byte[]> keys, RecordSink records) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Lookup get(byte[] key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void submit(Write write) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Cursor scan(byte[] from, byte @Nullable [] to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Health health() {
            return new Health(List.of(
                    new Health.Check(Health.READS, true, "all tables are open"),
                    new Health.Check(Health.WRITES, writes, writes ? "the log takes writes" : "the disk is full")));
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }

    @BeforeEach
    void start() {
        server = ControlServer.start(folder, engine, node);
        assertThat(server).isNotNull();
    }

    @AfterEach
    void stop() {
        engine.mayEnd.countDown();
        if (server != null) {
            server.close();
        }
    }

    @Test
    void carriesLongAnswersLineByLine() {
        ask("inspect text");

        assertThat(out).hasSizeGreaterThan(10_000).contains("engine scripted");
        assertThat(out).anyMatch(line -> line.contains("odd \"name\"") && line.endsWith("1.25"));
        assertThat(out).anyMatch(line -> line.contains("17.table") && line.contains("1.4 MiB  1,000,000"));
    }

    @Test
    void saysHowTheEngineIs() {
        ask("health");
        assertThat(out).containsExactly("reads: all tables are open", "writes: the log takes writes");

        engine.writes = false;
        assertThatThrownBy(() -> ask("health")).hasMessageContaining("writes: the disk is full");
    }

    @Test
    void carriesPathsAsTheyAre() {
        ask("checkpoint /somewhere with spaces/ünd ümlauts");

        assertThat(engine.targets).containsExactly(Path.of("/somewhere with spaces/ünd ümlauts"));
    }

    @Test
    void carriesProgressAndKeepsItToLines() {
        engine.mayEnd.countDown();

        ask("compact");

        assertThat(progress)
                .containsExactly("0 left and a line feed", "1 left and a line feed", "2 left and a line feed");
    }

    @Test
    void carriesRefusals() {
        engine.failure = new EngineException.CannotOpen("not there");
        assertThatThrownBy(() -> ask("checkpoint /x"))
                .isInstanceOf(EngineException.Io.class)
                .hasMessage("not there");
        engine.failure = new IllegalStateException("a fault");
        assertThatThrownBy(() -> ask("checkpoint /x"))
                .isInstanceOf(EngineException.Io.class)
                .hasMessage("internal error: IllegalStateException: a fault");
    }

    @Test
    void refusesWhatItDoesNotKnow() throws IOException {
        assertThatThrownBy(() -> ask("explode")).hasMessageContaining("does not know 'explode'");
        assertThatThrownBy(() -> ask("checkpoint relative")).hasMessageContaining("is not an absolute path");
        assertThatThrownBy(() -> ask("checkpoint")).hasMessageContaining("is not an absolute path");
        assertThatThrownBy(() -> ask("checkpoint /a\0b")).hasMessageContaining("is not an absolute path");
        assertThat(raw("GET / HTTP/1.1\n")).startsWith("failed this node speaks another version");
        assertThat(raw("kvant2 inspect\n")).startsWith("failed this node speaks another version");
        assertThat(engine.targets).isEmpty();
    }

    @Test
    void refusesALineWithoutEnd() throws IOException {
        assertThat(raw("kvant1 checkpoint /" + "x".repeat(LineChannel.MAX_LINE_BYTES)))
                .isEmpty();
        assertThat(engine.targets).isEmpty();
        ask("inspect text");
    }

    @Test
    void doesNotWaitForEverForARequest() throws IOException {
        assertThat(raw("kvant1 compact")).as("closed after a while").isEmpty();
        assertThat(engine.compacting.getCount()).isEqualTo(1);
    }

    /// Far fewer seconds pass than a silent connection may last, however slow the machine: each connection beyond the
    /// bound ends the oldest one.
    @Test
    void callersThatSayNothingKeepNobodyFromAsking() throws Exception {
        List<SocketChannel> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 3 * ControlServer.MAX_SILENT; i++) {
                SocketChannel each = SocketChannel.open(ControlSocket.address(folder));
                each.write(ByteBuffer.wrap("kvant1 insp".getBytes(StandardCharsets.US_ASCII)));
                silent.add(each);
                if (i % 5 == 0) {
                    ask("inspect text");
                    assertThat(Objects.requireNonNull(server).silent)
                            .hasSizeLessThanOrEqualTo(ControlServer.MAX_SILENT);
                }
            }
            assertThat(silent.getFirst().read(ByteBuffer.allocate(1)))
                    .as("the one that was silent for the longest has gone")
                    .isEqualTo(-1);
        } finally {
            for (SocketChannel each : silent) {
                each.close();
            }
        }
    }

    @Test
    void carriesOutOnlySoManyCommandsAtOnceAndSaysSo() throws Exception {
        List<SocketChannel> working = new ArrayList<>();
        try {
            for (int i = 0; i < ControlServer.MAX_SERVED; i++) {
                SocketChannel each = SocketChannel.open(ControlSocket.address(folder));
                each.write(ByteBuffer.wrap("kvant1 compact\n".getBytes(StandardCharsets.US_ASCII)));
                working.add(each);
            }
            Awaitility.await().until(() -> engine.running.get() == ControlServer.MAX_SERVED);

            assertThatThrownBy(() -> ask("inspect text")).hasMessageContaining("carries out 8 commands: try again");
        } finally {
            for (SocketChannel each : working) {
                each.close();
            }
        }
        engine.mayEnd.countDown();
        Awaitility.await().ignoreExceptions().untilAsserted(() -> ask("inspect text"));
    }

    @Test
    void whatWasAskedForGoesOnWhenTheCallerLeaves() throws Exception {
        try (SocketChannel caller = SocketChannel.open(ControlSocket.address(folder))) {
            caller.write(ByteBuffer.wrap("kvant1 compact\n".getBytes(StandardCharsets.US_ASCII)));
            engine.compacting.await();
        }
        engine.mayEnd.countDown();

        assertThat(engine.ended.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void saysWhenTheNodeEndsMeanwhile() throws IOException {
        if (server != null) {
            server.close();
        }
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(ControlSocket.address(folder));
            Thread.ofVirtual().start(() -> {
                try {
                    other.accept().close();
                } catch (IOException _) {
                    // The test has ended.
                }
            });
            assertThatThrownBy(() -> ask("compact")).isInstanceOf(EngineException.Io.class);
        }
    }

    @Test
    void nobodyListensAfterItsEnd() {
        if (server != null) {
            server.close();
        }
        assertThat(ControlClient.connect(folder)).isNull();
        assertThat(ControlSocket.path(folder)).doesNotExist();
    }

    @Test
    void aFileOfItsNameIsLeftAlone() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(ControlSocket.path(other), "precious");

        assertThat(ControlServer.start(other, engine, node)).isNull();

        assertThat(ControlSocket.path(other)).hasContent("precious");
        assertThat(ControlClient.connect(other)).isNull();
    }

    @Test
    void theSlowestRequestsAreToldAsAsked() {
        ask("slow text");
        ask("slow json");

        assertThat(out).containsExactly("ended", "as a table", "{", "}");
    }

    @Test
    void aNodeIsToldToBeReadOnlyAndNotTo() {
        ask("read-only on");
        assertThat(node.readOnly).isTrue();
        ask("read-only off");
        assertThat(node.readOnly).isFalse();
    }

    @Test
    void whatIsAskedForIsToldToTheAuditLogAndProbesAreNot() {
        engine.mayEnd.countDown();
        for (String request : List.of(
                "health", "inspect json", "slow text", "checkpoint /a b", "compact", "read-only on", "read-only off")) {
            ask(request);
        }
        for (String request : List.of("mirror-status", "mirror-switch", "explode")) {
            assertThatThrownBy(() -> ask(request)).isInstanceOf(EngineException.Io.class);
        }
        assertThat(node.told)
                .containsExactly(
                        "reads inspect",
                        "reads slow",
                        "changes checkpoint /a b",
                        "changes compact",
                        "changes read-only on",
                        "changes read-only off",
                        "reads mirror-status",
                        "changes mirror-switch");
    }

    /// A node that records the commands it gets.
    private static final class ToldNode implements NodeControl {

        private final List<String> told = new CopyOnWriteArrayList<>();
        private volatile boolean readOnly;

        @Override
        public void told(String command, String words, boolean changes) {
            told.add((changes ? "changes " : "reads ") + (command + " " + words).strip());
        }

        @Override
        public List<String> slowRequests(boolean json) {
            return json ? List.of("{", "}") : List.of("ended", "as a table");
        }

        @Override
        public void readOnly(boolean wanted) {
            readOnly = wanted;
        }
    }

    private void ask(String request) {
        try (ControlClient client = ControlClient.connect(folder)) {
            assertThat(client).isNotNull();
            client.ask(request, TIMEOUT, out::add, progress::add);
        }
    }

    /// @return all that the server answers until it closes
    private String raw(String bytes) throws IOException {
        try (SocketChannel channel = SocketChannel.open(ControlSocket.address(folder))) {
            channel.write(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.UTF_8)));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).matches(".*(reset|Broken pipe).*")) {
                return ""; // closed without reading the rest
            }
            throw e;
        }
    }
}
