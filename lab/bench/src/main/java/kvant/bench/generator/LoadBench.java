package kvant.bench.generator;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.figures.Ratio;
import kvant.bench.http.Slice;
import kvant.bench.http.Subject;
import kvant.bench.http.Subjects;
import kvant.bench.process.Generator;
import kvant.bench.process.LoadMeasurement;
import kvant.lab.process.ProgramPath;
import kvant.lab.process.Workbench;
import kvant.load.http.Target;
import kvant.load.plan.Arrivals;
import kvant.load.plan.LoadPlan;
import kvant.load.run.RunResult;
import kvant.text.Units;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench load`: measures the load generator: rate and CPU time per request compared with wrk, against nginx with
/// a static answer, and its lateness at a constant rate. Agreement with known laws is tested in `TruthTest`.
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description = "Compare the load generator with wrk, and measure how late it sends.",
        footer = {
            "",
            "Agreement with known laws, long: ./kvant test -pl load -am -Dtest=TruthTest"
                    + " -Dsurefire.failIfNoSpecifiedTests=false -Dkvant.truth=long"
        })
public final class LoadBench implements Callable<Integer> {

    private static final int ANSWER_BYTES = 27;
    private static final double MICROS_PER_SECOND = 1e6;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--quick", description = "One repeat of 4 s each.")
    private boolean quick;

    @Option(names = "--seconds", description = "Measured time of each load (default: 20; 4 with --quick).")
    private double seconds;

    @Option(names = "--warmup", description = "Seconds before them (default: ${DEFAULT-VALUE}).")
    private double warmUp = 3;

    @Option(names = "--repeats", description = "How often, in turn (default: 3; 1 with --quick).")
    private int repeats;

    @Option(names = "--connections", description = "Connections (default: ${DEFAULT-VALUE}).")
    private int connections = 64;

    @Option(names = "--rate", description = "Requests a second in the open loop (default: ${DEFAULT-VALUE}).")
    private double rate = 50_000;

    @Option(names = "--spin", description = "As that of 'kvant load' (default: ${DEFAULT-VALUE}).")
    private String spin = "0us";

    @Override
    public Integer call() throws IOException, InterruptedException {
        seconds = seconds > 0 ? seconds : quick ? 4 : 20;
        repeats = repeats > 0 ? repeats : quick ? 1 : 3;
        try (Workbench bench = Workbench.open()) {
            Subject server = new Subjects(bench, ANSWER_BYTES).fixedAnswer();
            Origin.of(spec, "server: " + server.name()).print(System.out);
            System.out.printf(
                    "%s s each, %d times in turn, %d connections, 1 thread.%n", seconds, repeats, connections);
            closedLoop(server);
            sendLag(server);
        }
        return 0;
    }

    private void closedLoop(Subject server) throws IOException, InterruptedException {
        System.out.println(
                "\n## Closed loop, fixed bytes\n\nCPU per request is that of the generator's thread for kvant,"
                        + " and of the whole process for wrk. The rate per generator core is its inverse.\n");
        MarkdownTable table = new MarkdownTable(
                System.out, "run", "tool", "requests/s", "generator CPU us/request", "requests/s per generator core");
        @Nullable Path wrk = ProgramPath.find("wrk");
        if (wrk == null) {
            System.err.println("wrk: not run, it is not installed (apt-get install wrk)");
        }
        List<Slice> ours = new ArrayList<>();
        List<Slice> theirs = new ArrayList<>();
        Slice _ = Slice.own(server, connections, warmUp);
        for (int run = 1; run <= repeats; run++) {
            ours.add(Slice.own(server, connections, seconds));
            row(table, run, "kvant", ours.getLast());
            if (wrk != null) {
                theirs.add(Slice.wrk(wrk, server, connections, seconds));
                row(table, run, "wrk", theirs.getLast());
            }
        }
        if (!theirs.isEmpty()) {
            System.out.printf(
                    "%nkvant to wrk: rate %s, rate per generator core %s (goal: at least 0.9)%n",
                    Ratio.of(ours, theirs, Slice::perSecond).text(),
                    Ratio.of(theirs, ours, Slice::generatorMicros).text());
        }
    }

    private static void row(MarkdownTable table, int run, String tool, Slice slice) {
        table.row(
                run,
                tool,
                String.format(Locale.ROOT, "%.0f", slice.perSecond()),
                String.format(Locale.ROOT, "%.2f", slice.generatorMicros()),
                String.format(Locale.ROOT, "%.0f", MICROS_PER_SECOND / slice.generatorMicros()));
    }

    private void sendLag(Subject server) {
        System.out.printf(
                Locale.ROOT,
                "%n## Send-time error at %.0f requests/s%n%nHow much later than possible a request was sent; goal: p99"
                        + " below 1000 us on an idle machine. Server and generator share the cores.%n%n",
                rate);
        MarkdownTable table = new MarkdownTable(
                System.out, "run,arrivals,achieved/s,p50 us,p99 us,p99.9 us,max us,response p99 us,verdict".split(","));
        LoadPlan plain = Generator.plain(Target.parse(server.url()), connections);
        LoadPlan plan = plain.with(p -> p.clients = p.clients.with(c -> c.spin = Units.duration(spin)));
        for (int run = 1; run <= repeats; run++) {
            for (Arrivals.Law law : List.of(Arrivals.Law.UNIFORM, Arrivals.Law.POISSON)) {
                RunResult result = Generator.run(plan.with(
                        p -> p.pace = Generator.pace(rate, warmUp, seconds).with(t -> t.law = law)));
                Histogram lag = result.totals().lag();
                table.row(
                        run,
                        law.name().toLowerCase(Locale.ROOT),
                        String.format(Locale.ROOT, "%.0f", result.achievedRate()),
                        micros(lag, 50),
                        micros(lag, 99),
                        micros(lag, 99.9),
                        micros(lag, 100),
                        micros(result.totals().response(), 99),
                        new LoadMeasurement(result).generator());
            }
        }
    }

    private static String micros(Histogram histogram, double percentile) {
        return MarkdownTable.number("%.1f", LoadMeasurement.millis(histogram, percentile) * 1e3);
    }
}
