package kvant.prove.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import kvant.prove.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each fault does what it says. Where this machine lacks a right, the reason is that of the skipped test.
class FaultsTest {

    private static final long HOUR = 3_600_000;

    @TempDir
    Path folder;

    private Stage stage;

    @BeforeEach
    void open() throws IOException {
        stage = new Stage(folder, 1, Duration.ZERO, 1, _ -> {});
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private static void needs(String obstacle) {
        Assumptions.assumeTrue(obstacle.isEmpty(), "not run here: " + obstacle);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs"})
    void aPowerCutTakesWhatWasNotSynced(String type) throws IOException {
        needs(LoopDisk.obstacle(type));
        LoopDisk disk = new LoopDisk(stage, type);
        Path synced = disk.folder().resolve("synced");
        Files.writeString(synced, "a");
        sync(synced);
        sync(disk.folder());
        Files.writeString(synced, "b", StandardOpenOption.APPEND);
        Files.writeString(disk.folder().resolve("unsynced"), "b");

        disk.cut();
        assertThatThrownBy(() -> Files.writeString(disk.folder().resolve("late"), "c"))
                .isInstanceOf(IOException.class);
        disk.remount();

        assertThat(synced).hasContent("a");
        assertThat(disk.folder().resolve("unsynced")).doesNotExist();
        assertThatCode(() -> Files.writeString(disk.folder().resolve("later"), "c"))
                .doesNotThrowAnyException();
    }

    private static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            channel.force(true);
        }
    }

    @Test
    void aFailingDiskSaysSoAtTheSyncAndHeals() throws IOException {
        needs(FaultyDisk.obstacle());
        FaultyDisk disk = new FaultyDisk(stage);
        Path file = disk.folder().resolve("file");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {'a'}));
            channel.force(true);
            disk.fail();
            channel.write(ByteBuffer.wrap(new byte[] {'b'}));
            assertThatThrownBy(() -> channel.force(true)).hasMessageContaining("Input/output error");
            disk.heal();
            channel.write(ByteBuffer.wrap(new byte[] {'c'}), 0);
            channel.force(true);
        }
        disk.remount();
        assertThat(Files.readString(file)).startsWith("c");
    }

    @Test
    void aFullDiskTakesNothingUntilItHasRoom() throws IOException {
        needs(FullDisk.obstacle());
        FullDisk disk = new FullDisk(stage, 4);
        Path file = disk.folder().resolve("file");
        disk.fill();
        assertThatThrownBy(() -> Files.write(file, new byte[1 << 20])).hasMessageContaining("No space");
        disk.free();
        assertThatCode(() -> Files.write(file, new byte[1 << 20])).doesNotThrowAnyException();
    }

    @Test
    void aClockJumpsAndMonotonicTimeDoesNot() throws Exception {
        needs(FakeClock.obstacle());
        FakeClock clock = new FakeClock(folder);
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Clocks.class.getName());
        builder.environment().putAll(clock.environment());
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        stage.keep(process::destroyForcibly);
        try (var said = process.inputReader();
                OutputStream ask = process.getOutputStream()) {
            long nanos = ask(ask, said.readLine())[1];
            clock.shift(-HOUR / 1_000);
            await().until(() ->
                    Math.abs(ask(ask, said.readLine())[0] - (System.currentTimeMillis() - HOUR)) < HOUR / 2);
            long later = ask(ask, said.readLine())[1];
            assertThat(Duration.ofNanos(later - nanos).toMillis()).isBetween(0L, HOUR / 2);
        }
    }

    /// The answer to the question before: the child says its clocks at its start and at each question.
    private static long[] ask(OutputStream ask, String line) throws IOException {
        ask.write('\n');
        ask.flush();
        String[] words = line.split(" ");
        return new long[] {Long.parseLong(words[0]), Long.parseLong(words[1])};
    }

    /// Says both clocks, again at each line.
    static final class Clocks {

        private Clocks() {}

        public static void main(String[] args) throws IOException {
            do {
                System.out.println(System.currentTimeMillis() + " " + System.nanoTime());
            } while (System.in.read() >= 0);
        }
    }

    @Test
    void aProxyDelaysLosesHalfClosesAndResets() throws Exception {
        try (ServerSocket echo = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                NetProxy proxy = new NetProxy()) {
            Thread.ofVirtual().start(() -> echo(echo));
            URI uri = proxy.before(URI.create("http://127.0.0.1:" + echo.getLocalPort()));
            assertThat(exchange(uri, 5_000)).isEqualTo('x');

            proxy.delay(100);
            long begin = System.nanoTime();
            assertThat(exchange(uri, 5_000)).isEqualTo('x');
            assertThat(Duration.ofNanos(System.nanoTime() - begin).toMillis())
                    .as("both ways")
                    .isGreaterThanOrEqualTo(200);
            proxy.delay(0);

            proxy.loseAnswers(true);
            assertThatThrownBy(() -> exchange(uri, 200)).isInstanceOf(SocketTimeoutException.class);
            proxy.loseAnswers(false);

            try (Socket socket = connect(uri, 5_000)) {
                assertThat(say(socket)).isEqualTo('x');
                proxy.halfClose();
                assertThat(socket.getInputStream().read())
                        .as("the server saw the end and closed")
                        .isIn(-1);
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("reset");
            }
            try (Socket socket = connect(uri, 5_000)) {
                assertThat(say(socket)).isEqualTo('x');
                proxy.reset();
                assertThatThrownBy(() -> {
                            int read = say(socket);
                            assertThat(read).isNotEqualTo(-1);
                        })
                        .isInstanceOf(IOException.class);
            }
        }
    }

    private static void echo(ServerSocket server) {
        while (true) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> {
                    try (socket) {
                        socket.getInputStream().transferTo(socket.getOutputStream());
                    } catch (IOException _) {
                        // reset
                    }
                });
            } catch (IOException _) {
                return; // closed
            }
        }
    }

    private static Socket connect(URI uri, int millis) throws IOException {
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        socket.setSoTimeout(millis);
        return socket;
    }

    private static int say(Socket socket) throws IOException {
        socket.getOutputStream().write('x');
        return socket.getInputStream().read();
    }

    private static int exchange(URI uri, int millis) throws IOException {
        try (Socket socket = connect(uri, millis)) {
            return say(socket);
        }
    }
}
