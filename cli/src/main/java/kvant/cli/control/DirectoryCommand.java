package kvant.cli.control;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import kvant.engine.directory.ExaminedDirectory;
import kvant.text.command.ConfigOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// A command about a data directory, which the node that serves it carries out.
public abstract class DirectoryCommand implements Callable<Integer> {

    /// How long a node may need before it says anything.
    public static final Duration NODE_TIMEOUT = Duration.ofSeconds(60);

    /// A node that takes longer to say how it is, is not well.
    public static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(5);

    /// For work that takes as long as there is data; the end of the node ends it.
    public static final Duration ENDLESS = Duration.ofDays(365);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Option(names = "--data", paramLabel = "DIR", description = "Data directory (default: ./data).")
    private Path data = Path.of("data");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    public final Path data() {
        return data;
    }

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final void progress(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    protected final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
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
}
