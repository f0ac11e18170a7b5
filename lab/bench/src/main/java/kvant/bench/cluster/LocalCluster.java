package kvant.bench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvant.bench.process.KvantProgram;
import kvant.bench.process.Node;
import kvant.bench.process.Workbench;
import kvant.lab.process.ProcessSampler;

/// Three Cassandra servers on this machine, each a process of its own, which `kvant cluster` starts and ends.
final class LocalCluster implements AutoCloseable {

    static final int NODES = 3;

    /// For the origin of figures.
    static final String VERSIONS = "Cassandra 5.0, three nodes of 512 MiB heap, replication 3";

    private static final int UP_SECONDS = 240;
    private static final int COMMAND_SECONDS = 300;

    private final Path folder;

    private LocalCluster(Path folder) {
        this.folder = folder;
    }

    static LocalCluster start(Workbench bench) throws IOException, InterruptedException {
        System.err.println("starting three nodes of Cassandra");
        LocalCluster cluster = bench.keep(new LocalCluster(bench.folder().resolve("cluster")));
        cluster.up();
        return cluster;
    }

    static String contactPoints() {
        return String.join(
                ",",
                IntStream.rangeClosed(1, NODES)
                        .mapToObj(number -> "127.0.0." + number + ":9042")
                        .toList());
    }

    /// A node of Kvant before it, which holds nothing.
    Node gateway(Workbench bench, String name, String... options) throws IOException {
        return gateway(bench, name, List.of(), options);
    }

    /// @param jvm options of its JVM
    Node gateway(Workbench bench, String name, List<String> jvm, String... options) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("--engine", "cassandra", "--cassandra.contact-points", contactPoints()));
        arguments.addAll(Arrays.asList(options));
        return Node.start(bench, name, new Node.Start(List.of(), jvm, arguments));
    }

    /// Starts the servers that are not there.
    void up() throws IOException, InterruptedException {
        run("up", "--nodes", Integer.toString(NODES), "--wait", Integer.toString(UP_SECONDS));
    }

    /// Runs `kvant cluster WORDS`.
    void run(String... words) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("cluster"));
        arguments.addAll(Arrays.asList(words));
        arguments.addAll(List.of("--dir", folder.toString()));
        String _ = KvantProgram.run(arguments, COMMAND_SECONDS);
    }

    private List<ProcessHandle> servers() {
        List<ProcessHandle> servers = new ArrayList<>();
        for (int number = 1; number <= NODES; number++) {
            Path file = folder.resolve("node" + number).resolve("pid");
            try {
                String pid = Files.readString(file).strip().split("\\s+")[0];
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(servers::add);
            } catch (NoSuchFileException _) {
                // it does not run
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return servers;
    }

    /// Of all servers, so far.
    long cpuNanos() {
        return servers().stream()
                .mapToLong(server -> ProcessSampler.look(server).cpuNanos())
                .sum();
    }

    /// Files of a table on all nodes.
    List<Path> files(String keyspace, String table) {
        try (Stream<Path> files = Files.find(
                folder,
                Integer.MAX_VALUE,
                (path, attributes) -> attributes.isRegularFile() && isOf(path, keyspace, table))) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// In `node1/data/KEYSPACE/TABLE-ID/`.
    private boolean isOf(Path path, String keyspace, String table) {
        Path inside = folder.relativize(path);
        return inside.getNameCount() == 5
                && inside.getName(1).toString().equals("data")
                && inside.getName(2).toString().equals(keyspace)
                && inside.getName(3).toString().startsWith(table + "-");
    }

    /// Ends the servers in any case: nothing else would end them.
    @Override
    public void close() {
        List<ProcessHandle> servers = servers();
        try {
            run("down", "--delete");
        } catch (IOException e) {
            System.err.println("kvant: " + e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        if (Files.exists(folder)) {
            servers.stream().filter(this::isOurs).forEach(ProcessHandle::destroyForcibly);
        }
    }

    /// The process id may have been reused since.
    private boolean isOurs(ProcessHandle server) {
        return server.info().commandLine().orElse("").contains(folder.toString())
                || Arrays.stream(server.info().arguments().orElse(new String[0]))
                        .anyMatch(argument -> argument.contains(folder.toString()));
    }
}
