package kvant.cli.store;

import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import kvant.cli.control.DirectoryCommand;
import kvant.cli.control.NodeLogin;
import kvant.cli.control.Report;
import kvant.cli.engine.LocalStore;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Inspection;
import kvant.engine.Maintenance;
import kvant.engine.directory.ExaminedDirectory;
import kvant.lsm.LsmEngine;
import kvant.lsm.operate.StoreInspection;
import kvant.text.ExitCode;
import kvant.text.UserException;
import kvant.text.command.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// A command for a store: executed by the node that serves it, or on the opened store if there is none.
public abstract class StoreCommand extends DirectoryCommand {

    private static final int OK = 200;

    /// @param request for a node
    /// @param work done without a node, on the opened store, whose logs are replayed
    final void askOrOpen(String request, Consumer<Maintenance> work) {
        if (askNode(request, ENDLESS)) {
            return;
        }
        try (Engine engine = LocalStore.open(LocalStore.of(data()), data(), Durability.ALWAYS)) {
            Maintenance maintenance = engine.maintenance();
            if (maintenance == null) {
                throw new EngineException.CannotOpen("the engine of " + data() + " has no such command");
            }
            work.accept(maintenance);
        }
    }

    /// `kvant check`: checks whether every byte of a store is as it was written.
    @Command(
            name = "check",
            description = "Verify every checksum and reference of a store while no node serves it.",
            sortOptions = false,
            footer = {
                "",
                "Read-only. One line for each problem: file, offset, damage, consequence, remedy.",
                "With the engine rocksdb only the first problem is reported.",
                "Exit codes: 0 sound, 1 damaged or not checked (the reason is on stderr), 2",
                "wrong command line."
            })
    public static final class Check extends StoreCommand {

        @Option(names = "--format", paramLabel = "F", description = "text (the default) or json.")
        private Output format = Output.TEXT;

        @Override
        public Integer call() {
            return CheckReport.check(data(), format, out());
        }
    }

    /// `kvant inspect`: shows the contents of a store, also while a node serves it.
    @Command(
            name = "inspect",
            description = "Show levels, runs, tables, logs and sizes of a store.",
            sortOptions = false,
            footer = {
                "",
                "Read-only. A node that serves the store adds memtables and write amplification.",
                "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."
            })
    public static final class Inspect extends StoreCommand {

        @Option(names = "--format", paramLabel = "F", description = "text (the default) or json.")
        private Output format = Output.TEXT;

        @Override
        public Integer call() {
            String request = "inspect " + format.name().toLowerCase(Locale.ROOT);
            if (!askNode(request, NODE_TIMEOUT)) {
                try (ExaminedDirectory directory = ExaminedDirectory.open(data())) {
                    if (directory.engine().equals(LsmEngine.NAME)) {
                        print(StoreInspection.of(directory));
                        return ExitCode.DONE;
                    }
                }
                askOrOpen(request, store -> print(store.inspect()));
            }
            return ExitCode.DONE;
        }

        private void print(Inspection inspection) {
            Report.of(inspection, format == Output.JSON).forEach(out()::println);
        }
    }

    /// `kvant checkpoint`: creates a consistent copy of a store, also while a node serves it.
    @Command(
            name = "checkpoint",
            description = "Make a consistent copy of a store, served or not.",
            sortOptions = false,
            footer = {
                "",
                "TARGET becomes a complete data directory with everything that was acknowledged",
                "before the command. Files are shared by hard links where TARGET is on the same",
                "file system, and copied elsewhere. It appears whole or not at all; a crash may",
                "leave a directory TARGET.kvant-NNNN, which can be deleted.",
                "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."
            })
    public static final class Checkpoint extends StoreCommand {

        @Option(names = "--to", paramLabel = "TARGET", required = true, description = "Directory to create.")
        private @Nullable Path target;

        @Override
        public Integer call() {
            if (target == null) {
                throw wrong("'--to' is needed");
            }
            Path absolute = target.toAbsolutePath().normalize();
            if (absolute.toString().indexOf('\n') >= 0) {
                throw wrong("'--to' must not hold a line feed");
            }
            askOrOpen("checkpoint " + absolute, store -> store.checkpoint(absolute, this::progress));
            out().println("checkpoint of " + data() + " in " + target);
            return ExitCode.DONE;
        }
    }

    /// `kvant compact`: merges a store into one sorted run, also while a node serves it.
    @Command(
            name = "compact",
            description = "Merge a store to one sorted run, served or not.",
            sortOptions = false,
            footer = {
                "",
                "Flushes memtables and merges all runs to one, which frees the space of",
                "overwritten, deleted and expired records. Merges in parts, with free space for",
                "the largest part; a later run continues an interrupted one. Ctrl-C ends the",
                "command, and without a node the merge; a node continues. Nothing is lost.",
                "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."
            })
    public static final class Compact extends StoreCommand {

        @Override
        public Integer call() {
            askOrOpen("compact", store -> store.compact(this::progress));
            out().println("compacted " + data());
            return ExitCode.DONE;
        }
    }

    /// `kvant health`: whether a node can read and write now. By its data directory it needs no port, no token and no
    /// certificate.
    @Command(
            name = "health",
            description = "Ask a node whether it can read and write.",
            sortOptions = false,
            footer = {
                "",
                "By --data it asks the node of a data directory, as the user that runs the node;",
                "by --url it asks /readyz, which needs no token. For scripts and health checks of",
                "containers. A node without a data directory (cassandra) answers by --url only.",
                "Exit codes: 0 healthy, 1 not healthy or no node (the reason is on stderr), 2",
                "wrong command line."
            })
    public static final class HealthOf extends DirectoryCommand {

        @Option(names = "--url", paramLabel = "URL", description = "Ask the node at this URL.")
        private @Nullable String url;

        @Mixin
        private @Nullable NodeLogin login;

        @Override
        public Integer call() throws InterruptedException {
            if (url == null) {
                requireNode("health", HEALTH_TIMEOUT, ": name its directory by --data, or its address by --url");
                return ExitCode.DONE;
            }
            try {
                HttpResponse<InputStream> answer =
                        Objects.requireNonNull(login).open(url, "/readyz?verbose", "text/plain");
                String checks = NodeLogin.text(url, answer);
                if (answer.statusCode() == OK) {
                    out().print(checks);
                    out().flush();
                    return ExitCode.DONE;
                }
                throw new UserException(url + " is not ready: " + checks.strip().replace("\n", "; "));
            } catch (IllegalArgumentException e) {
                throw wrong(String.valueOf(e.getMessage()));
            }
        }
    }

    /// `kvant read-only`: makes a running node refuse writes, or accept them again.
    @Command(
            name = "read-only",
            description = "Have a running node refuse writes of clients, or accept them again.",
            sortOptions = false,
            footer = {
                "",
                "Reads, flushes and merges continue. It lasts until the",
                "node stops; 'kvant serve --read-only' starts a node in this mode.",
                "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."
            })
    public static final class ReadOnly extends DirectoryCommand {

        /// The wanted mode.
        enum Mode {
            ON,
            OFF
        }

        @Parameters(paramLabel = "MODE", description = "on or off.")
        private Mode mode = Mode.ON;

        @Override
        public Integer call() {
            String wanted = mode.name().toLowerCase(Locale.ROOT);
            requireNode("read-only " + wanted, NODE_TIMEOUT, ": start one with 'kvant serve --read-only'");
            out().println("read-only " + wanted);
            return ExitCode.DONE;
        }
    }
}
