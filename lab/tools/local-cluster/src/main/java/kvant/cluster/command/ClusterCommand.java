package kvant.cluster.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import kvant.cluster.Cluster;
import kvant.cluster.ClusterException;
import kvant.cluster.NodeState;
import kvant.text.ExitCode;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// `kvant cluster`: Cassandra nodes of this machine, for development and tests.
@Command(
        name = "cluster",
        description = "Run a Cassandra cluster on this machine, for development and tests.",
        footer = {
            "",
            "The nodes listen on 127.0.0.1, 127.0.0.2 and so on, port 9042, and need Java 17",
            "(KVANT_JAVA17 names one) and about 1 GB of memory each."
        })
public final class ClusterCommand implements Runnable {

    private static final int LONGEST_WAIT_SECONDS = 3600;
    private static final String WHICH = "Which one, from 1.";
    private static final String WAIT = "How long it may take (default: 120).";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "Where everything of the cluster is (default: ./cluster).")
    private Path directory = Path.of("cluster");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a subcommand is needed, such as 'up'");
    }

    @Command(name = "up", description = "Start the nodes that are down, and wait until all take clients.")
    int up(
            @Nullable @Option(names = "--nodes", paramLabel = "N", description = "How many (default: 3).")
                    Integer nodes,
            @Option(names = "--wait", paramLabel = "SECONDS", defaultValue = "120", description = WAIT)
                    int waitSeconds) {
        Duration limit = limit(waitSeconds);
        return onCluster(cluster -> {
            cluster.up(nodes, sources(), limit, this::print);
            return "ready: kvant serve --engine cassandra --cassandra.contact-points " + cluster.contactPoints();
        });
    }

    @Command(name = "start", description = "Start a node that is down, and wait until it takes clients.")
    int start(
            @Parameters(paramLabel = "N", description = WHICH) int number,
            @Option(names = "--wait", paramLabel = "SECONDS", defaultValue = "120", description = WAIT)
                    int waitSeconds) {
        Duration limit = limit(waitSeconds);
        return onCluster(cluster -> {
            cluster.start(number, sources(), limit, this::print);
            return "node " + number + " is up";
        });
    }

    private Duration limit(int waitSeconds) {
        if (waitSeconds < 1 || waitSeconds > LONGEST_WAIT_SECONDS) {
            throw new ParameterException(
                    spec.commandLine(), "'--wait' is 1 to " + LONGEST_WAIT_SECONDS + " s, not " + waitSeconds);
        }
        return Duration.ofSeconds(waitSeconds);
    }

    private static @Nullable Path sources() {
        String root = System.getProperty("kvant.root");
        return root == null ? null : Path.of(root);
    }

    @Command(name = "status", description = "Show the nodes. Exit code 1 when one of them is not up.")
    int status() {
        List<Cluster.Status> nodes = new Cluster(directory).status();
        for (Cluster.Status node : nodes) {
            print(node.number() + "  " + node.address() + "  " + node.state()
                    + (node.pid() == null ? "" : "  pid " + node.pid()));
        }
        return nodes.stream().allMatch(node -> node.state() == NodeState.UP) ? ExitCode.DONE : ExitCode.FAILED;
    }

    @Command(name = "kill", description = "End a node without warning (SIGKILL); 'start' brings it back.")
    int kill(@Parameters(paramLabel = "N", description = WHICH) int number) {
        return onNode(number, Cluster::kill, "is down");
    }

    @Command(name = "pause", description = "Have a node stand still (SIGSTOP).")
    int pause(@Parameters(paramLabel = "N", description = WHICH) int number) {
        return onNode(number, Cluster::pause, "is paused");
    }

    @Command(name = "resume", description = "Resume a paused node (SIGCONT).")
    int resume(@Parameters(paramLabel = "N", description = WHICH) int number) {
        return onNode(number, Cluster::resume, "is running");
    }

    private int onNode(int number, ObjIntConsumer<Cluster> signal, String then) {
        return onCluster(cluster -> {
            signal.accept(cluster, number);
            return "node " + number + " " + then;
        });
    }

    @Command(name = "down", description = "Stop all nodes.")
    int down(@Option(names = "--delete", description = "Delete the directory, too.") boolean delete) {
        return onCluster(cluster -> {
            cluster.down(delete);
            return "all nodes are down" + (delete ? ", and " + directory + " is deleted" : "");
        });
    }

    /// @param work returns the message to print afterwards
    private int onCluster(Function<Cluster, String> work) {
        try {
            print(work.apply(new Cluster(directory)));
            return ExitCode.DONE;
        } catch (ClusterException e) {
            throw new UserException(String.valueOf(e.getMessage()), e);
        }
    }

    private void print(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
