package kvant.cli.store;

import kvant.text.ExitCode;
import picocli.CommandLine.Command;

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
public final class CompactCommand extends StoreCommand {

    @Override
    public Integer call() {
        if (!askNode("compact", ENDLESS)) {
            withStore(store -> store.compact(this::progress));
        }
        out().println("compacted " + data());
        return ExitCode.DONE;
    }
}
