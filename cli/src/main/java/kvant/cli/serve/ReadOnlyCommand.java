package kvant.cli.serve;

import java.util.Locale;
import kvant.cli.control.DirectoryCommand;
import kvant.text.ExitCode;
import kvant.text.UserException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

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
public final class ReadOnlyCommand extends DirectoryCommand {

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
        if (!askNode("read-only " + wanted, NODE_TIMEOUT)) {
            throw new UserException("no node serves " + data() + ": start one with 'kvant serve --read-only'");
        }
        out().println("read-only " + wanted);
        return ExitCode.DONE;
    }
}
