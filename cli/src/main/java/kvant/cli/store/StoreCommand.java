package kvant.cli.store;

import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import kvant.cli.control.DirectoryCommand;
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
import kvant.text.command.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// A command about a store: asks the node that serves it, or opens it where there is none.
public abstract class StoreCommand extends DirectoryCommand {

    /// @param request to a node
    /// @param work without one: on the store, whose logs are replayed
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

    /// `kvant check`: whether every byte of a store is what was written.
    @Command(
            name = "check",
            description = "Verify every checksum and reference of a store that no node serves.",
            sortOptions = false,
            footer = {
                "",
                "Reads everything and changes nothing. One line for each problem: the file, the",
                "offset, what is wrong there, what that means, and what to do. Of the engine",
                "rocksdb only the first problem is told.",
                "Exit codes: 0 sound, 1 damaged or not looked at (the reason is on stderr), 2",
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

    /// `kvant inspect`: what a store consists of, also while a node serves it.
    @Command(
            name = "inspect",
            description = "Show levels, runs, tables, logs and sizes of a store.",
            sortOptions = false,
            footer = {
                "",
                "Changes nothing. A node that serves the store also tells what is in memory and",
                "what was written.",
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

    /// `kvant checkpoint`: a consistent copy of a store, also while a node serves it.
    @Command(
            name = "checkpoint",
            description = "Copy a store consistently, while it is served or not.",
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

    /// `kvant compact`: merges a store to one sorted run, also while a node serves it.
    @Command(
            name = "compact",
            description = "Merge everything in a store, while it is served or not.",
            sortOptions = false,
            footer = {
                "",
                "Writes out what is in memory only and merges all runs to one, which frees the",
                "space of what was overwritten, deleted or has expired. Works in parts, needs",
                "free space for the largest one, and where it was broken off the next one goes",
                "on. Ctrl-C ends the command: a node goes on merging, and without a node the",
                "merge is broken off. Nothing is lost either way.",
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

    /// `kvant health`: whether the node that serves a store can read and write now, for those that ask by a program
    /// and not over HTTP. It needs no port, no token and no certificate.
    @Command(
            name = "health",
            description = "Ask the node that serves a store whether it can read and write.",
            sortOptions = false,
            footer = {
                "",
                "Over HTTP, /readyz says the same; this is for container health checks and",
                "scripts, by the user that runs the node. A node without a data directory",
                "(cassandra) answers over HTTP alone.",
                "Exit codes: 0 it can, 1 it cannot, or no node serves (the reason is on stderr),",
                "2 wrong command line."
            })
    public static final class HealthOf extends DirectoryCommand {

        @Override
        public Integer call() {
            requireNode("health", HEALTH_TIMEOUT, ": name its directory by --data");
            return ExitCode.DONE;
        }
    }

    /// `kvant read-only`: has a running node refuse writes, or take them again.
    @Command(
            name = "read-only",
            description = "Have a running node refuse writes of clients, or take them again.",
            sortOptions = false,
            footer = {
                "",
                "Reads go on, and so do the node's own flushes and merges. It holds until the",
                "node ends; --read-only of 'kvant serve' has it so from the start.",
                "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."
            })
    public static final class ReadOnly extends DirectoryCommand {

        /// What is wanted.
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
