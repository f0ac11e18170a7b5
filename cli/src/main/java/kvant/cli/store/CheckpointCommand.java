package kvant.cli.store;

import java.nio.file.Path;
import kvant.text.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
public final class CheckpointCommand extends StoreCommand {

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
        if (!askNode("checkpoint " + absolute, ENDLESS)) {
            withStore(store -> store.checkpoint(absolute, this::progress));
        }
        out().println("checkpoint of " + data() + " in " + target);
        return ExitCode.DONE;
    }
}
