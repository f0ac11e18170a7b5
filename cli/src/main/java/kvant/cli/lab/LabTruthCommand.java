package kvant.cli.lab;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import kvant.report.truth.PlantedDifferences;
import kvant.report.truth.TruthTable;
import kvant.text.ExitCode;
import kvant.text.Units;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant lab truth`: how often verdicts are right.
@Command(
        name = "truth",
        description = "Print how often verdicts find differences that were planted into synthetic rounds, and how often"
                + " their intervals have the truth in them: the table of docs/report.md.",
        sortOptions = false)
final class LabTruthCommand implements Callable<Integer> {

    private static final long MOST_RUNS = 100_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--runs", paramLabel = "N", description = "Runs for each line (default: 1000).")
    private String runs = "1000";

    @Option(names = "--seed", paramLabel = "N", description = "What the noise follows from (default: 1).")
    private long seed = 1;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        TruthTable.lines(PlantedDifferences.rows(count(), seed)).forEach(out::println);
        out.flush();
        return ExitCode.DONE;
    }

    private int count() {
        try {
            long count = Units.count(runs);
            if (count >= 1 && count <= MOST_RUNS) {
                return (int) count;
            }
        } catch (IllegalArgumentException _) {
            // said below
        }
        throw new ParameterException(
                spec.commandLine(), "'--runs': '" + runs + "' is not a number from 1 to " + MOST_RUNS);
    }
}
