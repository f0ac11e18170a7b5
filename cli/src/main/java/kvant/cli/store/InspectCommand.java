package kvant.cli.store;

import java.util.Locale;
import kvant.cli.control.Report;
import kvant.engine.Inspection;
import kvant.engine.directory.ExaminedDirectory;
import kvant.lsm.LsmEngine;
import kvant.lsm.operate.StoreInspection;
import kvant.text.ExitCode;
import kvant.text.command.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
public final class InspectCommand extends StoreCommand {

    @Option(names = "--format", paramLabel = "F", description = "text (the default) or json.")
    private Output format = Output.TEXT;

    @Override
    public Integer call() {
        if (!askNode("inspect " + format.name().toLowerCase(Locale.ROOT), NODE_TIMEOUT)) {
            try (ExaminedDirectory directory = ExaminedDirectory.open(data())) {
                if (directory.engine().equals(LsmEngine.NAME)) {
                    print(StoreInspection.of(directory));
                    return ExitCode.DONE;
                }
            }
            withStore(store -> print(store.inspect()));
        }
        return ExitCode.DONE;
    }

    private void print(Inspection inspection) {
        Report.of(inspection, format == Output.JSON).forEach(out()::println);
    }
}
