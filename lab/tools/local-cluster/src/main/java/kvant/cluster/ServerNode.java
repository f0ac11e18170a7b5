package kvant.cluster;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One node of the cluster: its folder, its configuration and its process.
///
///     DOWN --start--> STARTING --(native port open)--> UP <--pause, resume--> PAUSED
///      ^-------------- stop, kill ----------------------+
final class ServerNode {

    static final int NATIVE_PORT = 9042;

    private static final Duration PROBE_LIMIT = Duration.ofMillis(500);
    private static final String MAIN_CLASS = "org.apache.cassandra.service.CassandraDaemon";

    // Constant.
    private final Path directory;
    private final int number;
    private final int nodes;
    private final ServerOptions options;

    /// @param directory of this node
    /// @param number from 1
    /// @param nodes number of nodes in the cluster
    ServerNode(Path directory, int number, int nodes, ServerOptions options) {
        this.directory = directory;
        this.number = number;
        this.nodes = nodes;
        this.options = options;
    }

    int number() {
        return number;
    }

    String address() {
        return address(number);
    }

    Path log() {
        return directory.resolve("server.log");
    }

    NodeState state() {
        return running()
                .map(process ->
                        process.isPaused() ? NodeState.PAUSED : isPortOpen() ? NodeState.UP : NodeState.STARTING)
                .orElse(NodeState.DOWN);
    }

    /// Its process, if it has one.
    Optional<RecordedProcess> running() {
        return Optional.ofNullable(RecordedProcess.read(directory.resolve("pid")))
                .filter(process -> process.alive().isPresent());
    }

    /// Starts the process; returns before it is ready.
    void start(Path javaHome, String classPath) throws IOException {
        if (isPortOpen()) {
            throw new ClusterException(
                    address() + ":" + NATIVE_PORT + " is in use by another process: end that one, or use its cluster");
        }
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("cassandra.yaml"), configuration());
        Files.write(directory.resolve("logback.xml"), ServerLibraries.resource("logback.xml"));
        Files.writeString(directory.resolve("class.path"), "-cp\n" + quoted(classPath) + "\n");
        Process process = new ProcessBuilder(command(javaHome))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
        RecordedProcess.of(process.toHandle()).write(directory.resolve("pid"));
    }

    /// Asks the process to end (SIGTERM), if there is one.
    void terminate() {
        running().ifPresent(process -> {
            if (process.isPaused()) {
                signal(process, "CONT");
            }
            process.alive().ifPresent(ProcessHandle::destroy);
        });
    }

    /// Waits for the process to end after a request; sends SIGKILL after a time limit.
    void awaitEnd(Duration timeout) {
        ProcessHandle handle = running().flatMap(RecordedProcess::alive).orElse(null);
        if (handle == null) {
            return;
        }
        try {
            handle.onExit().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            handle.destroyForcibly();
            handle.onExit().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while node " + number + " stopped", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Sends SIGKILL and waits for the end of the process.
    void kill() {
        living().alive().ifPresent(handle -> {
            handle.destroyForcibly();
            handle.onExit().join();
        });
    }

    void pause() {
        signal(living(), "STOP");
    }

    void resume() {
        signal(living(), "CONT");
    }

    /// The readable end of its log.
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log(), StandardCharsets.UTF_8);
            for (int i = lines.size() - 1; i >= 0; i--) {
                if (lines.get(i).contains("ERROR") || lines.get(i).contains("Exception")) {
                    return lines.get(i).strip();
                }
            }
            return lines.isEmpty() ? "it said nothing" : lines.getLast().strip();
        } catch (IOException _) {
            return "it said nothing";
        }
    }

    private RecordedProcess living() {
        return running()
                .orElseThrow(() -> new ClusterException(
                        "node " + number + " is down: 'kvant cluster start " + number + "' starts it"));
    }

    private static void signal(RecordedProcess process, String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, "" + process.pid())
                    .redirectErrorStream(true)
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new ClusterException("kill -" + name + " " + process.pid() + " failed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted", e);
        } catch (IOException e) {
            throw new ClusterException("cannot run kill -" + name + ": " + e.getMessage(), e);
        }
    }

    private boolean isPortOpen() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address(), NATIVE_PORT), (int) PROBE_LIMIT.toMillis());
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private List<String> command(Path javaHome) {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin/java").toString());
        ServerLibraries.text("jvm17.options")
                .lines()
                .filter(line -> line.startsWith("-"))
                .forEach(command::add);
        command.addAll(options.jvm());
        command.add("-Dcassandra.config=" + directory.resolve("cassandra.yaml").toUri());
        command.add("-Dlogback.configurationFile="
                + directory.resolve("logback.xml").toUri());
        command.add("-Dcassandra.storagedir=" + directory);
        command.add("@" + directory.resolve("class.path"));
        command.add(MAIN_CLASS);
        return command;
    }

    private String configuration() {
        String seeds = IntStream.rangeClosed(1, nodes)
                .mapToObj(each -> address(each) + ":7000")
                .collect(Collectors.joining(","));
        return ServerLibraries.text("cassandra.yaml")
                .replace("@NUMBER@", "" + number)
                .replace("@NODES@", "" + nodes)
                .replace("@TOKEN@", token().toString())
                .replace("@SEEDS@", seeds)
                .replace("@ADDRESS@", address())
                .replace(
                        "@DIRECTORY@",
                        directory.toString().replace("\\", "\\\\").replace("\"", "\\\""))
                .concat(options.configuration());
    }

    /// Its share of the ring: tokens are 64-bit numbers.
    private BigInteger token() {
        BigInteger ring = BigInteger.ONE.shiftLeft(Long.SIZE);
        return ring.multiply(BigInteger.valueOf(number - 1))
                .divide(BigInteger.valueOf(nodes))
                .add(BigInteger.valueOf(Long.MIN_VALUE));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private String address(int each) {
        return "127.0.0." + (options.firstAddress() + each - 1);
    }
}
