package kvant.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import kvant.cassandra.cluster.Cluster;
import kvant.cassandra.cluster.NodeState;
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
final class ClusterCommand implements Runnable {

    private static final int LONGEST_WAIT_SECONDS = 3600;

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
        throw new ParameterException(spec.commandLine(), "what about the cluster? 'up', 'status' or 'down'");
    }

    @Command(name = "up", description = "Start the nodes that are down, and wait until all take clients.")
    int up(
            @Nullable @Option(names = "--nodes", paramLabel = "N", description = "How many (default: 3).")
                    Integer nodes,
            @Option(
                            names = "--wait",
                            paramLabel = "SECONDS",
                            defaultValue = "120",
                            description = "How long they may take (default: 120).")
                    int waitSeconds) {
        if (waitSeconds < 1 || waitSeconds > LONGEST_WAIT_SECONDS) {
            throw new ParameterException(
                    spec.commandLine(), "'--wait' is 1 to " + LONGEST_WAIT_SECONDS + " seconds, not " + waitSeconds);
        }
        String root = System.getProperty("kvant.root");
        Cluster cluster = new Cluster(directory);
        PrintWriter out = out();
        cluster.up(nodes, root == null ? null : Path.of(root), Duration.ofSeconds(waitSeconds), line -> {
            out.println(line);
            out.flush();
        });
        out.println("ready: kvant serve --engine cassandra --cassandra.contact-points " + cluster.contactPoints());
        return ExitCode.DONE;
    }

    @Command(name = "status", description = "Show the nodes. Exit code 1 when one of them is not up.")
    int status() {
        List<Cluster.Status> nodes = new Cluster(directory).status();
        for (Cluster.Status node : nodes) {
            out().println(node.number() + "  " + node.address() + "  " + node.state()
                    + (node.pid() == null ? "" : "  pid " + node.pid()));
        }
        return nodes.stream().allMatch(node -> node.state() == NodeState.UP) ? ExitCode.DONE : ExitCode.FAILED;
    }

    @Command(name = "kill", description = "End a node without warning (SIGKILL); 'up' starts it again.")
    int kill(@Parameters(paramLabel = "N", description = "Which one, from 1.") int number) {
        new Cluster(directory).kill(number);
        out().println("node " + number + " is down");
        return ExitCode.DONE;
    }

    @Command(name = "pause", description = "Have a node stand still (SIGSTOP).")
    int pause(@Parameters(paramLabel = "N", description = "Which one, from 1.") int number) {
        new Cluster(directory).pause(number);
        out().println("node " + number + " is paused");
        return ExitCode.DONE;
    }

    @Command(name = "resume", description = "Have a paused node go on (SIGCONT).")
    int resume(@Parameters(paramLabel = "N", description = "Which one, from 1.") int number) {
        new Cluster(directory).resume(number);
        out().println("node " + number + " goes on");
        return ExitCode.DONE;
    }

    @Command(name = "down", description = "Stop all nodes.")
    int down(@Option(names = "--delete", description = "Delete the directory, too.") boolean delete) {
        new Cluster(directory).down(delete);
        out().println("all nodes are down" + (delete ? ", and " + directory + " is deleted" : ""));
        return ExitCode.DONE;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
