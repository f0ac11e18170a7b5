package kvant.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import kvant.cli.control.ControlClient;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.ExaminedDirectory;
import kvant.engine.Maintenance;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.rocksdb.RocksDbEngine;
import kvant.rocksdb.RocksDbOptions;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// A command about a store: asks the node that serves it, or opens it where there is none.
abstract class StoreCommand implements Callable<Integer> {

    /// How long a node may need before it says anything.
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /// For work that takes as long as there is data; the end of the node ends it.
    static final Duration ENDLESS = Duration.ofDays(365);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--data", paramLabel = "DIR", description = "Data directory (default: ./data).")
    private Path data = Path.of("data");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    Path data() {
        return data;
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    void progress(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /// Has a request carried out by the node that serves the directory.
    ///
    /// @return false when no node does
    boolean askNode(String request, Duration patience) {
        ExaminedDirectory.engine(data); // first: what is no store has no node
        try (ControlClient node = ControlClient.connect(data)) {
            if (node == null) {
                return false;
            }
            node.ask(request, patience, out()::println, this::progress);
            return true;
        }
    }

    /// Opens the store, which brings back what is in its logs, and closes it in good order.
    void withStore(Consumer<Maintenance> work) {
        try (Engine engine = open(ExaminedDirectory.engine(data))) {
            Maintenance maintenance = engine.maintenance();
            if (maintenance == null) {
                throw new EngineException.CannotOpen("the engine of " + data + " has no such command");
            }
            work.accept(maintenance);
        }
    }

    private Engine open(String engine) {
        return engine.equals(LsmEngine.NAME)
                ? LsmEngine.open(data, LsmOptions.defaults())
                : RocksDbEngine.open(data, RocksDbOptions.defaults());
    }
}
