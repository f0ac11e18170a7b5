package kvant.cli.move;

import kvant.cli.control.DirectoryCommand;
import kvant.text.ExitCode;
import kvant.text.command.CommandGroup;
import picocli.CommandLine.Command;

/// `kvant mirror`: asks a node that was started with `--mirror-to`.
@Command(
        name = "mirror",
        description = "Watch a store that moves while it serves, and switch it over.",
        subcommands = {MirrorCommand.Status.class, MirrorCommand.Switch.class},
        footer = {"", "See docs/moving-live.md for the order of steps."})
public final class MirrorCommand extends CommandGroup {

    /// `kvant mirror status`.
    @Command(
            name = "status",
            description = "Show how far a serving node has mirrored its store.",
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
            description = "Have the new store take over in a serving node.",
            sortOptions = false,
            footer = {
                "",
                "Refused unless the mirror has caught up. New writes wait until those under way",
                "have ended; from then on reads and writes are the new store's, and the old one",
                "gets nothing any more. No acknowledged write is lost.",
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
