package kvant.cli.move;

import kvant.cli.control.DirectoryCommand;
import kvant.text.ExitCode;
import kvant.text.command.CommandGroup;
import picocli.CommandLine.Command;

/// `kvant mirror`: commands for a node that was started with `--mirror-to`.
@Command(
        name = "mirror",
        description = "Show the progress of a live move, and switch over.",
        subcommands = {MirrorCommand.Status.class, MirrorCommand.Switch.class},
        footer = {"", "See docs/moving-live.md for the order of steps."})
public final class MirrorCommand extends CommandGroup {

    /// `kvant mirror status`.
    @Command(
            name = "status",
            description = "Show the progress of the mirror of a serving node.",
            sortOptions = false,
            footer = {
                "",
                "--data is the data directory of the node, or, where the node serves a cluster,",
                "the one that it mirrors to.",
                "Exit codes: 0 shown, 1 no such node (the reason is on stderr), 2 wrong command",
                "line."
            })
    static final class Status extends DirectoryCommand {

        @Override
        public Integer call() {
            requireNode("mirror-status", NODE_TIMEOUT, "");
            return ExitCode.DONE;
        }
    }

    /// `kvant mirror switch`.
    @Command(
            name = "switch",
            description = "Switch a serving node to its new store.",
            sortOptions = false,
            footer = {
                "",
                "Refused until the mirror has caught up. New writes wait for writes in flight;",
                "then reads and writes use the new store alone. No acknowledged write is lost.",
                "Exit codes: 0 switched, 1 not switched (the reason is on stderr, and nothing",
                "has changed), 2 wrong command line."
            })
    static final class Switch extends DirectoryCommand {

        @Override
        public Integer call() {
            requireNode("mirror-switch", NODE_TIMEOUT, "");
            out().println("switched over");
            return ExitCode.DONE;
        }
    }
}
