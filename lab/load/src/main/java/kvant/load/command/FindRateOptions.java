package kvant.load.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import kvant.load.loop.StopSwitch;
import kvant.load.output.Chart;
import kvant.load.output.RateReport;
import kvant.load.plan.Arrivals;
import kvant.load.plan.LoadPlan;
import kvant.load.search.Objective;
import kvant.load.search.RateSearch;
import kvant.load.workload.Workload;
import kvant.text.Check;
import kvant.text.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// Options of `kvant load` that search for a rate instead of keeping a constant one.
final class FindRateOptions {

    @Option(
            names = "--find-rate",
            description = "Find the highest rate that meets --slo; -d is the length of one probe.")
    private boolean find;

    @Option(names = "--slo", paramLabel = "pN=T", description = "The objective, such as p99.9=10ms.")
    private @Nullable String objective;

    @Option(
            names = "--precision",
            paramLabel = "SHARE",
            description = "Relative precision of the found rate (default: 0.05).")
    private double precision = 0.05;

    boolean wanted() {
        return find;
    }

    /// @throws IllegalArgumentException with a readable one-line reason
    void check(Workload workload) {
        Check.that(
                !find || workload.mix().delete() == 0,
                "'--find-rate' has many runs, and each would find less to delete: take a workload without deletes");
        if (!find) {
            if (objective != null) {
                throw new IllegalArgumentException("'--slo' is for '--find-rate'");
            }
            return;
        }
        if (!(precision > 0 && precision < 1)) {
            throw new IllegalArgumentException("'--precision' is a share between 0 and 1, such as 0.05");
        }
        slo();
    }

    private Objective slo() {
        if (objective == null) {
            throw new IllegalArgumentException("'--find-rate' needs '--slo', such as p99.9=10ms");
        }
        return Objective.parse(objective);
    }

    /// Searches for the rate and prints the result.
    ///
    /// @return the exit code
    int run(
            LoadPlan plan,
            CommandLine command,
            boolean json,
            @Nullable Path jsonFile,
            @Nullable Path svgFile,
            StopSwitch stop,
            RunLine live) {
        Objective slo = slo();
        Arrivals.Law law =
                plan.pace().isClosed() ? Arrivals.Law.UNIFORM : plan.pace().law();
        RateSearch.Outcome outcome =
                RateSearch.run(plan, slo, law, precision, stop, live, probe -> live.note(RateReport.row(slo, probe)));
        live.close();
        PrintWriter out = command.getOut();
        if (json) {
            out.print(RateReport.json(outcome));
        } else {
            RateReport.print(out, outcome);
        }
        OutputFiles outputs = new OutputFiles();
        outputs.printed(out);
        outputs.write(jsonFile, () -> RateReport.json(outcome));
        outputs.write(svgFile, () -> Chart.rates(outcome));
        boolean delivered = outputs.explain(command.getErr());
        if (!outcome.partial().isEmpty()) {
            command.getErr().println("kvant: the search is partial: " + outcome.partial());
        }
        return delivered && outcome.partial().isEmpty() && outcome.rate() > 0 ? ExitCode.DONE : ExitCode.FAILED;
    }
}
