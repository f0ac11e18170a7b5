package kvant.load.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import kvant.load.host.BusyHost;
import kvant.load.loop.StopSwitch;
import kvant.load.output.Chart;
import kvant.load.output.ErrorText;
import kvant.load.output.HistogramFiles;
import kvant.load.output.Summary;
import kvant.load.output.TerminalColours;
import kvant.load.plan.LoadPlan;
import kvant.load.result.LoadResult;
import kvant.load.result.ResultFile;
import kvant.load.result.SlowestFile;
import kvant.load.run.LoadRun;
import kvant.load.run.Prefill;
import kvant.load.run.RunResult;
import kvant.load.run.Validity;
import kvant.text.ExitCode;
import kvant.text.ProgressLine;
import kvant.text.Signals;
import kvant.text.Terminal;
import kvant.text.Units;
import kvant.text.command.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant load`: measures an HTTP server, at a constant rate or as fast as it answers.
@Command(
        name = "load",
        description = "Load an HTTP server and measure it, at a constant rate or as fast as it answers.",
        sortOptions = false,
        abbreviateSynopsis = true,
        modelTransformer = LoadOptions.Table.class,
        footer = {
            "",
            "Without --workload the URL is asked for as it is. Response time counts from",
            "when a request was due, service time from when it was sent. docs/load.md has",
            "the method and its error.",
            "",
            "  kvant load -t1 -c64 -d30s -R20k --workload put http://127.0.0.1:8080",
            "  kvant load -R20k --workload get --keys 1M --prefill http://127.0.0.1:8080",
            "  kvant load --find-rate --slo p99.9=10ms http://127.0.0.1:8080/livez",
            "",
            "Exit codes: 0 measured; 1 not reachable, partial, invalid, all requests failed,",
            "or an output could not be written (the reason is printed); 2 wrong command",
            "line."
        })
public final class LoadCommand implements Callable<Integer> {

    private static final double SLOW_SHARE = 0.001;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private LoadOptions options = new LoadOptions();

    @Mixin
    private FindRateOptions findRate = new FindRateOptions();

    @Option(
            names = {"-L", "--latency"},
            description = "Print the whole distribution.")
    private boolean spectrum;

    @Option(names = "--format", paramLabel = "F", description = "Output on stdout: text (the default) or json.")
    private Output format = Output.TEXT;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result as JSON, for 'kvant compare'.")
    private @Nullable Path jsonFile;

    @Option(names = "--hgrm", paramLabel = "FILE", description = "Write percentiles in the format of HdrHistogram.")
    private @Nullable Path hgrmFile;

    @Option(
            names = "--hlog",
            paramLabel = "FILE",
            description = "Write the histogram of each window (HdrHistogram log).")
    private @Nullable Path hlogFile;

    @Option(names = "--svg", paramLabel = "FILE", description = "Write a picture of latency by percentile.")
    private @Nullable Path svgFile;

    @Option(
            names = "--slow-requests",
            paramLabel = "FILE",
            description = "Write the slowest 0.1 %% of the requests, one by one (docs/tail.md).")
    private @Nullable Path slowFile;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public Integer call() {
        LoadPlan plan = plan();
        if (findRate.wanted() && (hgrmFile != null || hlogFile != null || slowFile != null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'--hgrm', '--hlog' and '--slow-requests' are of one run: '--find-rate' has many");
        }
        Stream.of(jsonFile, hgrmFile, hlogFile, svgFile, slowFile)
                .filter(Objects::nonNull)
                .forEach(OutputFiles::refuseUnwritable);
        StopSwitch stop = new StopSwitch();
        Signals.onEach(List.of("INT", "TERM", "HUP"), name -> {
            if (stop.isStopped()) {
                Runtime.getRuntime().halt(ExitCode.FAILED); // interrupted twice
            }
            stop.stop();
        });
        PrintWriter err = spec.commandLine().getErr();
        try (RunLine live = new RunLine(new ProgressLine(err, Terminal.isInteractive()))) {
            BusyHost.warn(stop::sleep, live::note);
            if (options.prefills()) {
                double seconds = Prefill.run(plan, options.prefillKeys(plan), stop, live);
                live.note(Units.format("filled with %d keys in %.1f s", options.prefillKeys(plan), seconds));
            }
            return findRate.wanted()
                    ? findRate.run(plan, spec.commandLine(), format == Output.JSON, jsonFile, svgFile, stop, live)
                    : measure(plan, stop, live);
        }
    }

    private LoadPlan plan() {
        try {
            options.take(spec);
            LoadPlan plan = options.plan(findRate.wanted()).with(p -> p.slowShare = slowFile == null ? 0 : SLOW_SHARE);
            findRate.check(plan.workload());
            return plan;
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}", "?"); // one line
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    private int measure(LoadPlan plan, StopSwitch stop, RunLine live) {
        OutputFiles outputs = new OutputFiles();
        RunResult result = run(plan, stop, live, outputs);
        live.close();
        report(result, outputs);
        PrintWriter err = spec.commandLine().getErr();
        boolean delivered = outputs.explain(err);
        String obstacle = obstacle(result);
        if (!obstacle.isEmpty()) {
            err.println("kvant: " + obstacle);
        }
        return delivered && obstacle.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }

    /// The reason why a result is not usable, or empty.
    private static String obstacle(RunResult result) {
        Validity validity = result.validity();
        if (result.isOfNothing()) {
            boolean isWarm = result.plan().pace().warmup().isNone();
            return "nothing was measured: " + result.partial() + (isWarm ? "" : ", within the warm-up");
        }
        if (result.isPartial()) {
            return "the result is partial: " + result.partial();
        }
        return validity.grade() == Validity.Grade.INVALID
                ? "the result is invalid: " + validity.why()
                : ErrorText.allFailed(result);
    }

    private RunResult run(LoadPlan plan, StopSwitch stop, RunLine live, OutputFiles outputs) {
        if (hlogFile == null) {
            return LoadRun.run(plan, stop, live);
        }
        try (HistogramFiles.Log log = new HistogramFiles.Log(hlogFile)) {
            RunResult result = LoadRun.run(plan, stop, live.with(log));
            if (!log.isWhole()) {
                outputs.failed("cannot write all of " + hlogFile + ": the disk may be full");
            }
            return result;
        }
    }

    private void report(RunResult result, OutputFiles outputs) {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Output.JSON) {
            out.print(ResultFile.text(LoadResult.of(result)));
        } else if (!result.isOfNothing()) {
            new Summary(out, new TerminalColours(Terminal.wantsColour())).print(result, spectrum);
        }
        outputs.printed(out);
        outputs.write(jsonFile, () -> ResultFile.text(LoadResult.of(result)));
        outputs.write(hgrmFile, () -> HistogramFiles.hgrm(result.totals().response()));
        outputs.write(svgFile, () -> chart(result));
        outputs.write(slowFile, () -> SlowestFile.of(result.slowest()));
    }

    private static String chart(RunResult result) {
        Chart.Series response =
                new Chart.Series("response time", result.totals().response());
        Chart.Series service = new Chart.Series("service time", result.totals().service());
        return Chart.percentiles(
                "Latency of " + result.plan().target().url() + ", " + Math.round(result.achievedRate()) + " requests/s",
                List.of(response, service));
    }
}
