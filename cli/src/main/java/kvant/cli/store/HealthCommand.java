package kvant.cli.store;

import kvant.cli.control.DirectoryCommand;
import kvant.text.ExitCode;
import kvant.text.UserException;
import picocli.CommandLine.Command;

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
public final class HealthCommand extends DirectoryCommand {

    @Override
    public Integer call() {
        if (!askNode("health", HEALTH_TIMEOUT)) {
            throw new UserException("no node serves " + data() + ": name its directory by --data");
        }
        return ExitCode.DONE;
    }
}
