package kvant.cli.control;

import java.nio.file.Path;
import java.time.Duration;
import kvant.engine.directory.ExaminedDirectory;
import kvant.text.UserException;
import kvant.text.command.CliCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A command about a data directory, which the node that serves it carries out.
public abstract class DirectoryCommand extends CliCommand {

    /// How long a node may need before it says anything.
    public static final Duration NODE_TIMEOUT = Duration.ofSeconds(60);

    /// A node that takes longer to say how it is, is not well.
    public static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(5);

    /// For work that takes as long as there is data; the end of the node ends it.
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

    /// Has a request carried out by the node that serves the directory.
    ///
    /// @return false when no node does
    public final boolean askNode(String request, Duration idleLimit) {
        ExaminedDirectory.engine(data); // first: what is no store has no node
        try (ControlClient node = ControlClient.connect(data)) {
            if (node == null) {
                return false;
            }
            node.ask(request, idleLimit, out()::println, this::progress);
            return true;
        }
    }

    /// Has a request carried out, for which a node must be there.
    ///
    /// @param remedy how the message goes on where there is none
    protected final void requireNode(String request, Duration idleLimit, String remedy) {
        if (!askNode(request, idleLimit)) {
            throw new UserException("no node serves " + data + remedy);
        }
    }
}
