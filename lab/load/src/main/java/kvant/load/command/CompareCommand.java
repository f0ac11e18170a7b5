package kvant.load.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import kvant.load.compare.Comparison;
import kvant.load.compare.Sample;
import kvant.load.output.Chart;
import kvant.load.output.CompareReport;
import kvant.load.output.TerminalColours;
import kvant.text.ExitCode;
import kvant.text.Terminal;
import kvant.text.command.Output;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `kvant compare`: compares two results of `kvant load`, with confidence intervals.
@Command(
        name = "compare",
        description = "Compare two results of 'kvant load --json': percentile by percentile, with a verdict.",
        sortOptions = false,
        footer = {
            "",
            "A side may be several runs of the same, separated by commas; from three on,",
            "their differences give the uncertainty. Runs that are invalid, or that were",
            "not asked for the same requests at the same rate, are refused: docs/load.md",
            "has the rules. Exit codes: 0 compared, whatever the verdict; 1 refused, or a",
            "file cannot be read or written; 2 wrong command line."
        })
public final class CompareCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "A", description = "The baseline.")
    private String a = "";

    @Parameters(index = "1", paramLabel = "B", description = "The result to judge.")
    private String b = "";

    @Option(
            names = "--confidence",
            paramLabel = "C",
            description = "Confidence over all figures together (default: 0.95).")
    private double confidence = 0.95;

    @Option(names = "--format", paramLabel = "F", description = "Output on stdout: text (the default) or json.")
    private Output format = Output.TEXT;

    @Option(names = "--svg", paramLabel = "FILE", description = "Write a picture of both distributions.")
    private @Nullable Path svgFile;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public Integer call() {
        if (!(confidence >= 0.5 && confidence < 1)) {
            throw new ParameterException(spec.commandLine(), "a confidence must be from 0.5 to below 1, such as 0.95");
        }
        if (svgFile != null) {
            OutputFiles.refuseUnwritable(svgFile);
        }
        Sample left = side(a);
        Sample right = side(b);
        Comparison comparison = Comparison.of(left, right, confidence);
        PrintWriter out = spec.commandLine().getOut();
        if (format == Output.JSON) {
            out.print(CompareReport.json(comparison));
        } else {
            CompareReport.print(out, new TerminalColours(Terminal.wantsColour()), comparison);
        }
        OutputFiles outputs = new OutputFiles();
        outputs.printed(out);
        outputs.write(
                svgFile,
                () -> Chart.percentiles("Response time", List.of(series("A: " + a, left), series("B: " + b, right))));
        return outputs.explain(spec.commandLine().getErr()) ? ExitCode.DONE : ExitCode.FAILED;
    }

    private Sample side(String files) {
        List<Sample> runs = new ArrayList<>();
        for (String file : files.split(",", -1)) {
            if (file.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "'" + files + "' is not a file, nor files separated by commas");
            }
            runs.add(Sample.read(Path.of(file)));
        }
        return Sample.joined(files, runs);
    }

    private static Chart.Series series(String name, Sample sample) {
        Histogram sum = new Histogram(3);
        sample.units().forEach(sum::add);
        return new Chart.Series(name, sum);
    }
}
