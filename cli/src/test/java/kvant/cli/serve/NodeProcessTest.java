package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import kvant.cli.ChildNode;
import kvant.text.child.DefaultSignals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Start and end of a node's process: its output, exit codes and refusals.
class NodeProcessTest {

    private static final List<String> QUICK = List.of("-Xmx256m");
    private static final long HUP = 1; // bits of masks of signals
    private static final long INT = 1 << 1;
    private static final long TERM = 1 << 14;
    private static final byte[] SECOND_HALF = "fghij".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"lsm", "rocksdb"})
    void oneLineWhenReadyAndZeroOnSigterm(String engine) throws Exception {
        try (ChildNode node = ChildNode.serve(folder.resolve("data"), "--engine", engine)) {
            assertThat(node.url()).matches("http://127\\.0\\.0\\.1:[1-9][0-9]*");

            assertThat(node.stop()).isZero();

            assertThat(node.restOfStdout()).isEmpty();
            assertThat(node.stderr()).isEmpty();
        }
    }

    @Test
    void sigintEndsLikeSigterm() throws Exception {
        try (ChildNode node =
                ChildNode.run(DefaultSignals.words(), QUICK, ChildNode.serveArguments(folder.resolve("data")))) {
            node.awaitReady();
            assertThat(new ProcessBuilder("kill", "-INT", Long.toString(node.pid()))
                            .start()
                            .waitFor())
                    .isZero();

            assertThat(node.awaitExit()).isZero();
        }
    }

    /// As `nohup` and a shell that starts it in the background want.
    @Test
    @EnabledOnOs(OS.LINUX)
    void signalsThatItWasStartedToIgnoreStayIgnored() throws Exception {
        List<String> ignoring = List.of("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh");
        try (ChildNode node = ChildNode.run(ignoring, QUICK, ChildNode.serveArguments(folder.resolve("data")))) {
            node.awaitReady();
            long ignored = Files.readAllLines(Path.of("/proc/" + node.pid() + "/status")).stream()
                    .filter(line -> line.startsWith("SigIgn:"))
                    .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .sum();
            assertThat(ignored & (HUP | INT | TERM)).isEqualTo(HUP | INT);

            assertThat(node.stop()).isZero();
        }
    }

    @Test
    void sigtermStillAnswersARequestThatHasBegun() throws Exception {
        try (ChildNode node = ChildNode.serve(folder.resolve("data"));
                Socket client = halfSent(node)) {
            node.terminate();
            awaitNoMoreConnections(node);

            client.getOutputStream().write(SECOND_HALF);

            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 201 ");
            assertThat(node.awaitExit()).isZero();
        }
    }

    @Test
    void aSecondSigtermEndsADrainAtOnce() throws Exception {
        try (ChildNode node = ChildNode.serve(folder.resolve("data"), "--drain", "300");
                Socket _ = halfSent(node)) {
            node.terminate();
            awaitNoMoreConnections(node);
            assertThat(node.isAlive())
                    .as("it waits for the request that has begun")
                    .isTrue();

            await().pollInterval(Duration.ofMillis(200)).until(() -> {
                node.terminate(); // those of the first second are taken for the first one
                return !node.isAlive();
            });

            assertThat(node.awaitExit()).isEqualTo(1);
            assertThat(node.stderr()).singleElement().asString().contains("a second SIGTERM");
        }
    }

    /// As `timeout` of GNU does, which signals its child and then the group of its child.
    @Test
    void aSignalThatIsSentTwiceEndsANodeInOrder() throws Exception {
        try (ChildNode node = ChildNode.serve(folder.resolve("data"));
                Socket client = halfSent(node)) {
            node.terminate();
            node.terminate();
            awaitNoMoreConnections(node);

            client.getOutputStream().write(SECOND_HALF);

            assertThat(node.awaitExit()).isZero();
            assertThat(node.stderr()).isEmpty();
        }
    }

    @Test
    void refusesAPortInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());

            refused(List.of("serve", "--data", folder.resolve("data").toString(), "--port", port), port);

            assertThat(folder.resolve("data")).as("nothing was begun").doesNotExist();
        }
    }

    /// Whether the signal comes while the store is being opened or a little later: the process ends as it always does.
    @Test
    void sigtermWhileItStartsEndsWithZero() throws Exception {
        Path data = folder.resolve("data");
        try (ChildNode node = ChildNode.run(List.of(), ChildNode.serveArguments(data))) {
            await().pollInterval(Duration.ofMillis(1)).until(() -> Files.exists(data));

            assertThat(node.stop()).isZero();

            assertThat(node.stderr()).isEmpty();
        }
    }

    @Test
    void refusesAnUnknownHost() throws Exception {
        refused(ChildNode.serveArguments(folder.resolve("data"), "--host", "no-such-host.invalid"), "unknown host");
    }

    @Test
    void refusesADirectoryThatAnotherProcessHolds() throws Exception {
        Path data = folder.resolve("data");
        try (ChildNode first = ChildNode.serve(data)) {
            refused(ChildNode.serveArguments(data), "held by another process (process " + first.pid() + ")");

            assertThat(first.stop()).as("the first one is unharmed").isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lsm", "rocksdb"})
    void refusesADirectoryOfAnotherEngine(String engine) throws Exception {
        String other = engine.equals("lsm") ? "rocksdb" : "lsm";
        Path data = folder.resolve("data");
        try (ChildNode node = ChildNode.serve(data, "--engine", engine)) {
            assertThat(node.stop()).isZero();
        }

        refused(ChildNode.serveArguments(data, "--engine", other), "written by engine '" + engine + "'");
    }

    @Test
    void refusesADirectoryWithOthersFiles() throws Exception {
        Files.writeString(folder.resolve("thesis.txt"), "not a store");

        refused(ChildNode.serveArguments(folder), "not a Kvant data directory");

        assertThat(folder.resolve("thesis.txt")).hasContent("not a store");
    }

    @Test
    void refusesADirectoryWithoutPermission() throws Exception {
        Path locked = Files.createDirectory(
                folder.resolve("locked"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        assumeThat(Files.isWritable(locked))
                .as("permissions bind this user (not run as root)")
                .isFalse();

        refused(ChildNode.serveArguments(locked.resolve("data")), "no permission");
    }

    @Test
    void refusesADirectoryThatIsAFile() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        refused(ChildNode.serveArguments(file), "is a file");
    }

    /// A connection on which half of a put has been sent, and on which the node has shown that it reads it.
    private static Socket halfSent(ChildNode node) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), node.port());
        client.setSoTimeout(30_000);
        client.getOutputStream()
                .write(("PUT /v0/entity?id=slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n"
                                + "Expect: 100-continue\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        byte[] goOn = client.getInputStream().readNBytes("HTTP/1.1 100 Continue\r\n\r\n".length());
        assertThat(new String(goOn, StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 100 ");
        client.getOutputStream().write("abcde".getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    /// The drain has begun when the node takes no more connections.
    private static void awaitNoMoreConnections(ChildNode node) {
        await().ignoreExceptionsInstanceOf(SocketException.class).until(() -> {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
                return false;
            } catch (ConnectException _) {
                return true;
            }
        });
    }

    private static void refused(List<String> arguments, String reason) throws IOException, InterruptedException {
        try (ChildNode node = ChildNode.run(List.of(), arguments)) {
            assertThat(node.awaitExit()).isEqualTo(1);
            assertThat(node.restOfStdout()).isEmpty();
            assertThat(node.stderr())
                    .singleElement()
                    .asString()
                    .startsWith("kvant: ")
                    .contains(reason);
        }
    }
}
