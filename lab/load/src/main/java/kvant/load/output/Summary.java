package kvant.load.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import kvant.load.host.HostFacts;
import kvant.load.host.HostWatch;
import kvant.load.plan.Clients;
import kvant.load.plan.Pace;
import kvant.load.record.Percentiles;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.run.RunResult;
import kvant.load.run.Validity;
import kvant.load.workload.Operation;
import kvant.load.workload.Workload;
import kvant.text.Units;
import org.HdrHistogram.Histogram;

/// A readable result in the format of wrk2.
public final class Summary {

    /// Share of the target rate below which the rate is coloured.
    private static final double REACHED = 0.99;

    private final PrintWriter out;
    private final TerminalColours colours;

    public Summary(PrintWriter out, TerminalColours colours) {
        this.out = out;
        this.colours = colours;
    }

    /// A number without insignificant decimals.
    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    private void line(String format, Object... arguments) {
        out.println(Units.format(format, arguments));
    }

    /// @param spectrum whether to print the full distribution, as with `-L`
    public void print(RunResult result, boolean spectrum) {
        head(result);
        latency(result);
        operations(result);
        if (spectrum) {
            spectrum("Response time", result.totals().response());
            if (!result.plan().pace().isClosed()) {
                spectrum("Service time", result.totals().service());
            }
        }
        counts(result);
        verdicts(result);
        out.flush();
    }

    private void head(RunResult result) {
        Clients clients = result.plan().clients();
        Pace pace = result.plan().pace();
        line(
                "Running %ss test @ %s",
                plain(pace.duration().toNanos() / 1e9), result.plan().target().url());
        if (!result.address().isEmpty()
                && !result.address().startsWith(result.plan().target().host() + ":")) {
            line("  its address is %s", result.address());
        }
        String rate = pace.isClosed()
                ? "closed loop"
                : Units.format(
                        "%s requests/s, %s",
                        plain(pace.rate()), pace.law().name().toLowerCase(Locale.ROOT));
        line(
                "  %d threads and %d connections, depth %d, %s",
                clients.threads(), clients.connections(), clients.depth(), rate);
        Workload workload = result.plan().workload();
        if (!workload.plain()) {
            line(
                    "  workload %s: %d keys %s, values of %s bytes, seed %d",
                    workload.name(),
                    workload.keys(),
                    workload.keyPlan(),
                    workload.values().text(),
                    result.plan().seed());
        }
        warmup(result);
    }

    private void warmup(RunResult result) {
        RunResult.WarmupResult warmup = result.warmup();
        if (result.plan().pace().warmup().isNone()) {
            line("  no warm-up: the figures have the cold start in them");
        } else {
            line(
                    "  warm-up of %.1fs with %d requests left out%s%s",
                    warmup.seconds(),
                    warmup.counts().due(),
                    !result.plan().pace().warmup().auto()
                            ? ""
                            : warmup.agreed() ? ", until stable" : colours.yellow(", and still not stable"),
                    warmup.isStable() || !warmup.agreed()
                            ? ""
                            : colours.yellow(", of which " + warmup.counts().of(Count.ANSWERED) + " were answered"));
        }
    }

    private void latency(RunResult result) {
        Histogram response = result.totals().response();
        Histogram service = result.totals().service();
        boolean closed = result.plan().pace().isClosed();
        line("");
        line(closed ? "  Latency       Service (no schedule)" : "  Latency       Response     Service");
        String row = closed ? "  %9s  %12s" : "  %9s  %12s%12s";
        line(row, "mean", time(response, Histogram::getMean), time(service, Histogram::getMean));
        line(row, "stdev", time(response, Histogram::getStdDeviation), time(service, Histogram::getStdDeviation));
        for (double percentile : Percentiles.shown()) {
            String name = Units.format("%.3f%%", percentile);
            line(row, name, time(response, percentile), time(service, percentile));
        }
        if (closed) {
            line("  (a closed loop sends nothing while it waits: its tail leaves out what users would have waited)");
        } else {
            line(
                    "  Send lag      %s  (the generator's own error)",
                    ends(result.totals().lag()));
            line(
                    "  Without it    %s  (response times, had it never sent late)",
                    ends(result.totals().punctual()));
        }
    }

    private static String ends(Histogram times) {
        String most = time(times, Histogram::getMaxValue);
        return "p50 " + time(times, 50) + "  p99 " + time(times, 99) + "  max " + most;
    }

    /// A dash if too few requests are beyond the percentile.
    private static String time(Histogram histogram, double percentile) {
        return Percentiles.isShown(percentile, histogram.getTotalCount())
                ? Units.time(histogram.getValueAtPercentile(percentile))
                : "-";
    }

    private static String time(Histogram histogram, ToDoubleFunction<Histogram> figure) {
        return Units.time(figure.applyAsDouble(histogram), histogram.getTotalCount());
    }

    private void operations(RunResult result) {
        List<Operation> used = result.usedOperations();
        if (used.size() < 2) {
            return;
        }
        line("");
        line("  By operation     count         p50         p99       p99.9         max");
        for (Operation operation : used) {
            Histogram own = result.totals().operation(operation);
            line(
                    "  %-10s%12d%12s%12s%12s%12s",
                    operation.name().toLowerCase(Locale.ROOT),
                    own.getTotalCount(),
                    time(own, 50),
                    time(own, 99),
                    time(own, 99.9),
                    Units.time(own.getMaxValue()));
        }
    }

    private void spectrum(String name, Histogram histogram) {
        line("");
        line("  Detailed percentile spectrum: %s in milliseconds", name);
        out.print(HistogramFiles.hgrm(histogram));
    }

    private void counts(RunResult result) {
        RequestCounts counts = result.counts();
        double seconds = result.elapsedNanos() / 1e9;
        line("");
        line(
                "  %d requests answered in %.2fs, %s read, %s written",
                counts.of(Count.ANSWERED),
                seconds,
                Units.bytes(counts.of(Count.BYTES_IN)),
                Units.bytes(counts.of(Count.BYTES_OUT)));
        line("  Statuses: %s", statuses(counts.statuses()));
        keys(result);
        if (counts.errors() > 0) {
            line("  %s", colours.red(ErrorText.of(counts)));
        }
        String hint = ErrorText.hint(result);
        if (!hint.isEmpty()) {
            line("  %s", hint);
        }
        if (result.reconnects() + result.refusedConnects() > 0) {
            line(
                    "  Connections: %d reconnects, %d refused%s%s",
                    result.reconnects(),
                    result.refusedConnects(),
                    result.strays() > 0 ? ", " + result.strays() + " sent bytes without a request" : "",
                    result.lastTrouble().isEmpty() ? "" : " (last trouble: " + result.lastTrouble() + ")");
        }
        line("Requests/sec: %12.2f%s", result.achievedRate(), target(result));
        line("Transfer/sec: %12s", Units.bytes(seconds > 0 ? (long) (counts.of(Count.BYTES_IN) / seconds) : 0));
        line(
                "Generator:    %.2f us of CPU per request, busiest thread %.0f %%",
                result.sentWithWarmup() == 0 ? 0 : result.cpuNanos() / 1e3 / result.sentWithWarmup(),
                100 * result.busy());
        host(result.host());
    }

    private void host(HostFacts host) {
        if (!host.isKnown()) {
            return;
        }
        String disturbed = Units.format(
                ", %d of %d windows disturbed (more than %.0f %% stolen or throttled)",
                host.disturbed(), host.looks(), 100 * HostWatch.DISTURBED);
        line(
                "Machine:      %.2f of %d processors busy, %.2f of them in the generator; %.1f %% stolen%s",
                host.busyProcessors(),
                host.processors(),
                host.ownProcessors(),
                100 * host.stolenShare(),
                host.disturbed() > 0 ? colours.yellow(disturbed) : "");
    }

    private String target(RunResult result) {
        if (result.plan().pace().isClosed()) {
            return "";
        }
        double rate = result.plan().pace().rate();
        double share = result.scheduledRate() / rate;
        String text = Units.format("  (%.2f %% of the target %s)", 100 * share, plain(rate));
        return share < REACHED ? colours.yellow(text) : text;
    }

    private static String statuses(Map<Integer, Long> counts) {
        List<String> parts = new ArrayList<>();
        counts.forEach((status, count) -> parts.add(status + " x " + count));
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    private void keys(RunResult result) {
        Workload workload = result.plan().workload();
        if (workload.plain()) {
            return;
        }
        String asked = workload.mix().needsKeys() && result.distinctKeys() >= 0
                ? Units.format("%d of %d existing keys asked for", result.distinctKeys(), workload.keys())
                : "";
        String inserted = result.insertedKeys() > 0 ? result.insertedKeys() + " new keys put, all different" : "";
        line("  Keys: %s%s%s", asked, asked.isEmpty() || inserted.isEmpty() ? "" : ", ", inserted);
    }

    private void verdicts(RunResult result) {
        Validity validity = result.validity();
        switch (validity.grade()) {
            case VALID -> {}
            case DOUBTFUL -> line("%s", colours.yellow("DOUBTFUL: " + validity.why()));
            case INVALID -> line("%s", colours.red("INVALID: " + validity.why()));
        }
        if (result.isPartial()) {
            line("%s", colours.red("PARTIAL: " + result.partial()));
        }
    }
}
