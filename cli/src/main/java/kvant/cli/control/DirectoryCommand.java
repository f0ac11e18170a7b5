package kvant.cli.control;

import java.nio.file.Path;
import java.time.Duration;
import kvant.engine.directory.ExaminedDirectory;
import kvant.text.UserException;
import kvant.text.command.CliCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A command for a data directory, executed by the node that serves it.
public abstract class DirectoryCommand extends CliCommand {

    /// Time limit for the first line of a reply.
    public static final Duration NODE_TIMEOUT = Duration.ofSeconds(60);

    /// Time limit for a health check; a slower node is unhealthy.
    public static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(5);

    /// For work whose duration depends on the amount of data; it ends with the node.
    public static final Duration ENDLESS = Duration.ofDays(365);

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Option(names = "--data", paramLabel = "DIR", description = "Data directory (default: ./data).")
    private Path data = Path.of("data");

    public final Path data() {
        return data;
    }

    protected final void progress(String line) {
        err().println(line);
        err().flush();
    }

    /// Makes the node that serves the directory execute a request.
    ///
    /// @return false if no node does
    public final boolean askNode(String request, Duration idleLimit) {
        ExaminedDirectory.engine(data); // first: a directory without a store has no node
        try (ControlClient node = ControlClient.connect(data)) {
            if (node == null) {
                return false;
            }
            node.ask(request, idleLimit, out()::println, this::progress);
            return true;
        }
    }

    /// Executes a request that needs a running node.
    ///
    /// @param remedy end of the error message when there is no node
    protected final void requireNode(String request, Duration idleLimit, String remedy) {
        if (!askNode(request, idleLimit)) {
            throw new UserException("no node serves " + data + remedy);
        }
    }
}
