package kvant.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A Cassandra cluster on the loopback addresses of this machine, with all its files in one directory.
///
/// It has no state in memory: number of nodes and process ids are stored in the directory, so that each command may be
/// a separate process. Two commands must not run at the same time.
public final class Cluster {

    /// Readable status of a node.
    ///
    /// @param pid of its process, or null
    public record Status(
            int number,
            String address,
            NodeState state,
            @Nullable Long pid) {}

    public static final int MAX_NODES = 5;

    /// Marks a directory that this program may delete.
    private static final String MARKER = "kvant-cluster";

    private static final String MARKER_TEXT =
            "#A Cassandra cluster of Kvant; 'kvant cluster down --delete' deletes this directory\n";
    private static final String NODES = "nodes=";

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
    private static final long POLL_MILLIS = 100;

    // Constant.
    private final Path directory;
    private final ServerOptions options;

    public Cluster(Path directory) {
        this(directory, ServerOptions.DEFAULT);
    }

    public Cluster(Path directory, ServerOptions options) {
        this.directory = directory.toAbsolutePath().normalize();
        this.options = options;
    }

    /// Starts the nodes that are down and waits until all accept clients.
    ///
    /// @param count number of nodes of a new cluster; null for the existing number
    /// @param sourceTree with the Maven wrapper, or null
    /// @param progress receives readable lines
    public void up(@Nullable Integer count, @Nullable Path sourceTree, Duration limit, Consumer<String> progress) {
        bringUp(nodes(prepare(count)), sourceTree, limit, progress);
    }

    /// Starts or resumes one node of the cluster, and waits until it accepts clients.
    ///
    /// @param sourceTree with the Maven wrapper, or null
    /// @param progress receives readable lines
    public void start(int number, @Nullable Path sourceTree, Duration limit, Consumer<String> progress) {
        bringUp(List.of(node(number)), sourceTree, limit, progress);
    }

    private void bringUp(List<ServerNode> nodes, @Nullable Path sourceTree, Duration limit, Consumer<String> progress) {
        Path javaHome = ServerJava.find(System.getenv());
        try {
            Path shared = options.libraries();
            String classPath = new ServerLibraries(shared == null ? directory : shared, sourceTree).classPath();
            for (ServerNode node : nodes) {
                switch (node.state()) {
                    case DOWN -> {
                        node.start(javaHome, classPath);
                        progress.accept("node " + node.number() + " starts on " + node.address());
                    }
                    case PAUSED -> node.resume();
                    case STARTING, UP -> {}
                }
            }
            await(nodes, limit);
        } catch (IOException e) {
            throw new ClusterException("cannot start a cluster in " + directory + ": " + e, e);
        }
    }

    public List<Status> status() {
        return nodes(count()).stream()
                .map(node -> new Status(
                        node.number(),
                        node.address() + ":" + ServerNode.NATIVE_PORT,
                        node.state(),
                        node.running().map(RecordedProcess::pid).orElse(null)))
                .toList();
    }

    /// Kills a node, like `kill -9`.
    public void kill(int number) {
        node(number).kill();
    }

    /// Pauses a node, like `kill -STOP`.
    public void pause(int number) {
        node(number).pause();
    }

    public void resume(int number) {
        node(number).resume();
    }

    /// Stops all nodes.
    ///
    /// @param delete whether to delete the directory, with all data
    public void down(boolean delete) {
        List<ServerNode> nodes = nodes(count());
        nodes.forEach(ServerNode::terminate);
        nodes.forEach(node -> node.awaitEnd(delete ? Duration.ZERO : STOP_TIMEOUT));
        try {
            if (delete) {
                deleteAll();
            }
        } catch (IOException e) {
            throw new ClusterException("cannot end the cluster in " + directory + ": " + e.getMessage(), e);
        }
    }

    /// The contact points of the cluster: `127.0.0.1:9042,...`.
    public String contactPoints() {
        return status().stream().map(Status::address).collect(Collectors.joining(","));
    }

    /// The log of a node.
    public Path log(int number) {
        return node(number).log();
    }

    private int prepare(@Nullable Integer count) {
        if (Files.exists(directory.resolve(MARKER))) {
            int nodes = count();
            if (count != null && count != nodes) {
                throw new ClusterException("the cluster in " + directory + " has " + nodes
                        + " nodes: 'kvant cluster down --delete' first, or choose another --dir");
            }
            return nodes;
        }
        int nodes = count == null ? 3 : count;
        if (nodes < 1 || nodes > MAX_NODES) {
            throw new ClusterException("a cluster of this machine has 1 to " + MAX_NODES + " nodes, not " + nodes);
        }
        try {
            Files.createDirectories(directory);
            try (Stream<Path> entries = Files.list(directory)) {
                if (entries.findAny().isPresent()) {
                    throw new ClusterException(directory + " holds something that is no cluster: choose another --dir");
                }
            }
            Files.writeString(directory.resolve(MARKER), MARKER_TEXT + NODES + nodes + "\n");
        } catch (IOException e) {
            throw new ClusterException("cannot start a cluster in " + directory + ": " + e, e);
        }
        return nodes;
    }

    private static void await(List<ServerNode> nodes, Duration limit) {
        long beganNanos = System.nanoTime();
        for (ServerNode node : nodes) {
            NodeState state = node.state();
            while (state != NodeState.UP) {
                if (state == NodeState.DOWN) {
                    throw new ClusterException("node " + node.number() + " ended: " + node.lastWords() + " (its log is "
                            + node.log() + ")");
                }
                if (System.nanoTime() - beganNanos > limit.toNanos()) {
                    throw new ClusterException("node " + node.number() + " is not ready after " + limit.toSeconds()
                            + " s: its log is " + node.log());
                }
                try {
                    Thread.sleep(POLL_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new ClusterException("interrupted while the cluster started", e);
                }
                state = node.state();
            }
        }
    }

    private int count() {
        try (Stream<String> lines = Files.lines(directory.resolve(MARKER))) {
            String count =
                    lines.filter(line -> line.startsWith(NODES)).findFirst().orElse("");
            return Integer.parseInt(count.replace(NODES, ""));
        } catch (IOException | NumberFormatException _) {
            throw new ClusterException(
                    "there is no cluster in " + directory + ": 'kvant cluster up --dir " + directory + "' makes one");
        }
    }

    private ServerNode node(int number) {
        int count = count();
        if (number < 1 || number > count) {
            throw new ClusterException("there is no node " + number + ": they are 1 to " + count);
        }
        return server(number, count);
    }

    private List<ServerNode> nodes(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> server(number, count))
                .toList();
    }

    private ServerNode server(int number, int count) {
        return new ServerNode(directory.resolve("node" + number), number, count, options);
    }

    /// Called only for a directory with the marker.
    private void deleteAll() throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(directory)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }
}
