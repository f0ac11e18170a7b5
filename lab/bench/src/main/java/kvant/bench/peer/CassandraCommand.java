package kvant.bench.peer;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import kvant.cli.Main;
import kvant.cluster.Cluster;
import kvant.cluster.ClusterException;
import kvant.cluster.ServerOptions;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/// `kvant bench cassandra`: a node of Kvant as a gateway to one server of Apache Cassandra, which it starts and stops.
/// Both are in one process tree, so that their total resource usage can be measured.
@Command(
        name = "cassandra",
        description = "Serve as a gateway before a Cassandra of its own, until SIGTERM. For 'kvant lab run peers'.",
        sortOptions = false,
        footer = {"", "All other options are those of 'kvant serve'. Cassandra needs Java 17 (KVANT_JAVA17)."})
public final class CassandraCommand implements Callable<Integer> {

    /// A loopback address with which a user's cluster is unlikely to start.
    private static final int ADDRESS = 41;

    private static final Duration START = Duration.ofMinutes(4);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--data", paramLabel = "DIR", required = true, description = "Where everything of the server is.")
    private Path data = Path.of("");

    @Unmatched
    private List<String> serveOptions = new ArrayList<>();

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        Cluster cluster = new Cluster(data, ServerOptions.at(ADDRESS));
        @Nullable String tree = System.getProperty("kvant.root");
        try {
            cluster.up(1, tree == null ? null : Path.of(tree), START, err::println);
            List<String> words = new ArrayList<>(List.of("serve", "--engine", "cassandra"));
            words.addAll(List.of("--cassandra.contact-points", cluster.contactPoints()));
            words.addAll(List.of("--cassandra.replication", "1"));
            words.addAll(serveOptions);
            return Main.execute(spec.commandLine().getOut(), err, words.toArray(String[]::new));
        } catch (ClusterException e) {
            throw new UserException(String.valueOf(e.getMessage()), e);
        } finally {
            end(cluster, err);
        }
    }

    /// Stops the cluster and deletes its data.
    private static void end(Cluster cluster, PrintWriter err) {
        try {
            cluster.down(true);
        } catch (ClusterException e) {
            err.println("kvant: " + e.getMessage());
        }
    }
}
