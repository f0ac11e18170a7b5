package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import kvant.cli.ChildNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process at its limit of file descriptors still serves its connections.
class DescriptorsTest {

    private static final int DESCRIPTORS = 400;
    private static final int FEW_DESCRIPTORS = 256;
    private static final int CLIENTS = 600;
    private static final int PUTS = 60;
    private static final int VALUE_BYTES = 100_000;
    private static final int CLOCK_TICKS_PER_SECOND = 100;
    private static final String HEAD = "HEAD /v0/status HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @TempDir
    Path folder;

    @Test
    void acceptingPausesWithoutSpinningAndGoesOnWhenDescriptorsAreFree() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "not run here: there is no /proc");
        List<Socket> clients = new ArrayList<>();
        try (ChildNode node = ChildNode.serve(folder.resolve("data"))) {
            limitDescriptors(node.pid()); // later than the node looks at its limit
            Socket first = new Socket("127.0.0.1", node.port());
            clients.add(first);
            assertThat(status(first)).isEqualTo("HTTP/1.1 200");
            for (int i = 1; i < CLIENTS; i++) {
                clients.add(new Socket("127.0.0.1", node.port())); // the kernel's backlog takes the rest
            }
            await().until(() -> descriptors(node.pid()) >= DESCRIPTORS - 1);

            long before = cpuTicks(node.pid());
            long begun = System.nanoTime();
            await().atMost(Duration.ofSeconds(20)).until(() -> System.nanoTime() - begun > 2_000_000_000L);
            assertThat(cpuTicks(node.pid()) - before)
                    .as("CPU time of two seconds")
                    .isLessThan(CLOCK_TICKS_PER_SECOND / 2);
            assertThat(status(first)).isEqualTo("HTTP/1.1 200");

            for (int i = 1; i < CLIENTS - 10; i++) {
                clients.get(i).close();
            }
            assertThat(status(clients.getLast())).as("accepted at last").isEqualTo("HTTP/1.1 200");
            assertThat(node.stop()).isZero();
            assertThat(node.stderr().stream().filter(line -> line.contains("cannot accept connections")))
                    .hasSize(1);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static void limitDescriptors(long pid) throws IOException, InterruptedException {
        String limit = "--nofile=" + DESCRIPTORS + ":" + DESCRIPTORS;
        Process prlimit = new ProcessBuilder("prlimit", "--pid", Long.toString(pid), limit)
                .inheritIO()
                .start();
        assertThat(prlimit.waitFor()).isZero();
    }

    /// Before they had taken all descriptors, and the next log could not be made.
    @Test
    void silentClientsLeaveDescriptorsForFiles() throws Exception {
        List<String> limited = List.of("sh", "-c", "ulimit -n " + FEW_DESCRIPTORS + "; exec \"$@\"", "sh");
        List<String> arguments = ChildNode.serveArguments(folder.resolve("data"), "--lsm.memtable", "1MiB");
        List<Socket> clients = new ArrayList<>();
        try (ChildNode node = ChildNode.run(limited, List.of("-Xmx256m"), arguments)) {
            node.awaitReady();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new Socket("127.0.0.1", node.port()));
            }
            Socket newcomer = new Socket("127.0.0.1", node.port());
            clients.add(newcomer);
            for (int i = 0; i < PUTS; i++) {
                assertThat(answer(newcomer, put(i))).isEqualTo("HTTP/1.1 201");
            }
            assertThat(node.stop()).isZero();
            assertThat(node.stderr()).hasSize(1);
            assertThat(node.stderr().getFirst()).contains("because the process may open " + FEW_DESCRIPTORS + " files");
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    /// The node that warms the code up has the same limits, and says nothing of them.
    @Test
    void thatThereAreFewDescriptorsIsSaidOnce() throws Exception {
        List<String> limited = List.of("sh", "-c", "ulimit -n " + FEW_DESCRIPTORS + "; exec \"$@\"", "sh");
        List<String> arguments = List.of(
                "serve",
                "--port",
                "0",
                "--warm-up",
                "1",
                "--data",
                folder.resolve("data").toString());
        try (ChildNode node = ChildNode.run(limited, List.of("-Xmx256m"), arguments)) {
            node.awaitReady();
            await().atMost(Duration.ofSeconds(60)).until(() -> isWarm(node.port()));

            assertThat(node.stop()).isZero();
            assertThat(node.stderr())
                    .singleElement()
                    .asString()
                    .contains("because the process may open " + FEW_DESCRIPTORS + " files");
        }
    }

    private static boolean isWarm(int port) throws IOException {
        try (Socket client = new Socket("127.0.0.1", port)) {
            return answer(client, "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .equals("HTTP/1.1 200");
        }
    }

    private static String put(int i) {
        return "PUT /v0/entity?id=" + i + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + VALUE_BYTES + "\r\n\r\n"
                + "v".repeat(VALUE_BYTES);
    }

    private static String status(Socket client) throws IOException {
        return answer(client, HEAD);
    }

    private static String answer(Socket client, String request) throws IOException {
        client.setSoTimeout(20_000);
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        InputStream in = client.getInputStream();
        String head = new String(in.readNBytes(12), StandardCharsets.US_ASCII);
        for (int last = 0; last != 0x0d0a0d0a; ) {
            last = last << 8 | in.read();
        }
        return head;
    }

    private static long descriptors(long pid) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return open.count();
        }
    }

    /// User and system time of the process, in clock ticks.
    private static long cpuTicks(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }
}
