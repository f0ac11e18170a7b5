package kvant.report.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import kvant.lab.result.ExperimentRecord.Objective;
import kvant.lab.result.ExperimentRecord.Published;
import kvant.lab.result.RunRecord.PhaseRecord;
import kvant.lab.result.SamplesRecord.Event;
import kvant.lab.result.SamplesRecord.Sample;
import kvant.load.record.Window;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.Results.MeasuredStep;
import kvant.report.page.Block.Cell;
import kvant.report.page.Content.Columns;
import kvant.report.verdict.Metric;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;
import kvant.report.words.Phrase.Value;
import kvant.text.Json;
import kvant.text.Units;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// The latencies of all variants under one load: a chart by percentile, a table, and charts over time.
final class PhaseSection {

    static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};

    private static final double STEP = 0.05;

    private static final double MOST_NINES = 6;

    private PhaseSection() {}

    static void write(Content to, PhaseRecord phase, int number) {
        List<Measured> all = Measured.of(to.results(), phase);
        to.heading(2, "phase-" + number, to.say("phase.title", "phase", phase.name()));
        to.note(asked(to, phase));
        List<Measured> measured = all.stream().filter(one -> !one.isEmpty()).toList();
        if (measured.isEmpty()) {
            to.text(to.get("phase.nothing"));
            return;
        }
        to.heading(3, "percentiles-" + number, to.get("percentiles.title"));
        to.add(latency(to, measured));
        to.note(to.get("percentiles.note"));
        if (to.experiment().published().stream().anyMatch(one -> one.phase().equals(phase.name()))) {
            to.note(to.get("percentiles.published"));
        }
        percentiles(to, all);
        to.note(to.get("percentiles.table"));
        to.heading(3, "time-" + number, to.get("time.title"));
        to.add(TimeChart.of(to, measured));
        to.note(to.say(
                "time.note",
                "steps",
                new Value.Listing(measured.stream()
                        .map(one -> Value.text(one.middle().id()))
                        .toList())));
    }

    private static String asked(Content to, PhaseRecord phase) {
        List<Value> parts = new ArrayList<>();
        parts.add(Value.text(phase.workload()));
        parts.add(
                phase.rate() > 0
                        ? new Value.Nested(Phrase.of("value.rate", "rate", Value.number(phase.rate())))
                        : Value.text(to.get("phase.closed")));
        if (phase.connections() > 0) {
            parts.add(new Value.Nested(Phrase.of("phase.connections", "n", phase.connections())));
        }
        if (phase.threads() > 0) {
            parts.add(new Value.Nested(Phrase.of("phase.threads", "n", phase.threads())));
        }
        if (phase.durationNanos() > 0) {
            parts.add(Value.nanos(phase.durationNanos()));
        }
        if (phase.warmup().equals("auto")) {
            parts.add(Value.text(to.get("phase.warmupAuto")));
        } else if (!phase.warmup().isEmpty()) {
            parts.add(new Value.Nested(Phrase.of("phase.warmup", "warmup", warmup(phase.warmup()))));
        }
        return to.words().say(new Value.Listing(parts));
    }

    private static Value warmup(String text) {
        try {
            return Value.nanos(Units.duration(text).toNanos());
        } catch (IllegalArgumentException _) {
            return Value.text(text);
        }
    }

    private static void percentiles(Content to, List<Measured> all) {
        Numbers numbers = to.numbers();
        Columns<Measured> columns = new Columns<Measured>(to).text("column.variant", one -> one.label(to.words()));
        for (double percentile : PERCENTILES) {
            ToDoubleFunction<DecodedResult> figure = load -> load.response().getValueAtPercentile(percentile);
            columns.column(
                    "p" + to.words().percentile(percentile),
                    one -> isTold(one, percentile) ? millis(to, one.eachLoad(figure)) : Cell.number(Numbers.NONE));
        }
        columns.cell(
                        "column.max",
                        one -> millis(
                                to,
                                one.eachLoad(
                                        load -> load.isTimed() ? load.response().getMaxValue() : Double.NaN)))
                .number(
                        "column.rate",
                        one -> numbers.number(Measured.median(one.eachLoad(DecodedResult::achievedRate))))
                .number("column.rounds", one -> rounds(to, one))
                .write(all);
    }

    private static String rounds(Content to, Measured one) {
        long planned =
                to.results().steps(one.variant().name(), one.phase().name()).size();
        long usable = one.usable() ? one.steps().size() : 0;
        return to.say("rounds.of", "usable", usable, "planned", planned);
    }

    /// True if enough requests are beyond a percentile; otherwise it depends on a few accidental values.
    private static boolean isTold(Measured one, double percentile) {
        return !one.isEmpty() && one.loads().stream().allMatch(Metric.percentile(percentile)::isTold);
    }

    private static Cell millis(Content to, double[] ascending) {
        Numbers numbers = to.numbers();
        if (ascending.length == 0) {
            return Cell.number(Numbers.NONE);
        }
        String range = ascending.length == 1
                ? ""
                : numbers.millis(ascending[0]) + "–" + numbers.millis(ascending[ascending.length - 1]);
        return Cell.number(numbers.millis(Measured.median(ascending)), range);
    }

    /// The largest position on the axis of nines for this number of requests.
    static double nines(Histogram histogram) {
        return Math.log10(Math.max(1, histogram.getTotalCount()));
    }

    /// The chart of latency by percentile. Its axis is in nines: 1 is 90 %, 2 is 99 %, 3 is 99.9 %.
    static Block latency(Content to, List<Measured> measured) {
        double most = measured.stream()
                .mapToDouble(one -> PhaseSection.nines(one.response()))
                .max()
                .orElse(1);
        double end = Math.min(MOST_NINES, most);
        int points = (int) Math.ceil(end / STEP) + 1;
        double[] x = new double[points];
        for (int i = 0; i < points; i++) {
            x[i] = Math.min(end, i * STEP);
        }
        Json json = new Json().open().put("kind", "latency");
        TimeChart.list(json, "x", x);
        json.openList("series");
        for (Measured one : measured) {
            series(json, to, one, x);
        }
        json.closeList();
        Objective objective = to.experiment().objective();
        if (objective != null) {
            json.open("objective")
                    .put("nines", -Math.log10(1 - Math.min(objective.percentile(), 99.9999) / 100))
                    .put("millis", objective.nanos() / 1e6)
                    .put(
                            "label",
                            to.say(Phrase.of("objective.label")
                                    .with("percentile", CostSection.percentile(to, objective))
                                    .with("limit", Value.nanos(objective.nanos()))))
                    .close();
        }
        json.close();
        String description = to.say(
                "percentiles.description",
                "variants",
                measured.stream().map(one -> one.title(to.words())).collect(Collectors.joining(", ")));
        return new Block.Chart("latency", description, json.toString());
    }

    private static void series(Json json, Content to, Measured one, double[] x) {
        Histogram all = one.response();
        List<Histogram> rounds =
                one.loads().stream().map(DecodedResult::response).toList();
        double end = PhaseSection.nines(all);
        double[] middle = new double[x.length];
        double[] low = new double[x.length];
        double[] high = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            double percentile = 100 * (1 - Math.pow(10, -x[i]));
            boolean there = x[i] <= end + STEP / 2;
            middle[i] = there ? millis(all.getValueAtPercentile(percentile)) : Double.NaN;
            double[] each = rounds.stream()
                    .mapToDouble(round -> millis(round.getValueAtPercentile(percentile)))
                    .sorted()
                    .toArray();
            low[i] = there ? each[0] : Double.NaN;
            high[i] = there ? each[each.length - 1] : Double.NaN;
        }
        json.open().put("name", one.title(to.words())).put("colour", one.colour());
        TimeChart.list(json, "y", middle);
        if (rounds.size() > 1 && !Arrays.equals(low, high)) {
            TimeChart.list(json, "low", low);
            TimeChart.list(json, "high", high);
        }
        double[] published = published(to, one, x);
        if (Arrays.stream(published).anyMatch(Double::isFinite)) {
            TimeChart.list(json, "published", published);
        }
        json.close();
    }

    /// Published figures for the same variant and phase, in milliseconds at their positions on the axis.
    /// The maximum has no position.
    private static double[] published(Content to, Measured one, double[] x) {
        double[] points = new double[x.length];
        Arrays.fill(points, Double.NaN);
        for (Published figures : to.experiment().published()) {
            boolean own = figures.variant().equals(one.variant().name())
                    && figures.phase().equals(one.phase().name());
            if (own) {
                figures.percentiles().forEach((percentile, millis) -> {
                    long at = Math.round(-Math.log10(1 - percentile / 100) / STEP);
                    if (percentile < 100 && at < points.length) {
                        points[(int) at] = millis;
                    }
                });
            }
        }
        return points;
    }

    /// Rounded to microseconds, and not 0, which has no logarithm.
    static double millis(double nanos) {
        return Math.max(0.001, Math.rint(nanos / 1000) / 1000);
    }

    /// Data for the charts over time: latency, throughput, processor time, stolen time, and activities of the
    /// process. Long runs are reduced to [#MOST_POINTS] points: each has the highest p99 of its windows, and
    /// the mean of the other figures.
    static final class TimeChart {

        static final int MOST_POINTS = 240;

        /// Maximum number of spans in a lane of events; beyond that, neighbours are merged.
        static final int MOST_SPANS = 400;

        private final Content to;
        private final List<Measured> measured;
        private final double bin;
        private final int points;
        private final double end;

        private TimeChart(Content to, List<Measured> measured) {
            this.to = to;
            this.measured = measured;
            double last = 1;
            double usual = 1;
            for (Measured one : measured) {
                List<Window> windows = windows(one);
                for (Window window : windows) {
                    last = Math.max(last, window.fromNanos() + window.lengthNanos());
                }
                usual = Math.max(
                        usual, windows.isEmpty() ? 1 : windows.getFirst().lengthNanos());
            }
            end = last;
            double exact = Math.max(usual, end / MOST_POINTS);
            bin = usual * Math.ceil(exact / usual - 1e-9);
            points = (int) Math.max(1, Math.ceil(end / bin - 1e-3));
        }

        static Block of(Content to, List<Measured> measured) {
            return new TimeChart(to, measured).block();
        }

        /// The windows of the measured time. The last window of a run belongs to draining and may have any
        /// length.
        private static List<Window> windows(Measured one) {
            DecodedResult load = one.middle().load();
            if (load == null) {
                return List.of();
            }
            long told = load.file().asked().pace().durationNanos();
            double planned = told > 0 ? told : Double.POSITIVE_INFINITY;
            return load.file().typedWindows().stream()
                    .filter(window -> window.fromNanos() + window.lengthNanos() / 2 < planned)
                    .toList();
        }

        private Block block() {
            Json json = new Json().open().put("kind", "time").put("end", end / 1e9);
            double[] x = new double[points];
            for (int i = 0; i < points; i++) {
                x[i] = (i * bin + Math.min((i + 1) * bin, end)) / 2e9;
            }
            list(json, "x", x);
            json.openList("series");
            for (Measured one : measured) {
                json.open().put("name", one.title(to.words())).put("colour", one.colour());
                windows(json, windows(one));
                stolen(json, one);
                samples(json, one.middle().samples().typed());
                json.close();
            }
            json.closeList().openList("lanes");
            measured.forEach(one -> lanes(json, one));
            json.closeList().close();
            return new Block.Chart("time", to.get("time.description"), json.toString());
        }

        private int point(double nanos) {
            return Math.clamp((long) (nanos / bin), 0, points - 1);
        }

        private void windows(Json json, List<Window> windows) {
            double[] p50 = nothing();
            double[] p99 = nothing();
            double[] answered = nothing();
            double[] errors = nothing();
            double[] length = nothing();
            for (Window window : windows) {
                int at = point(window.fromNanos() + window.lengthNanos() / 2);
                if (window.completed() > 0) {
                    p50[at] = Double.isNaN(p50[at]) ? window.p50Nanos() : (p50[at] + window.p50Nanos()) / 2;
                    p99[at] = Double.isNaN(p99[at]) ? window.p99Nanos() : Math.max(p99[at], window.p99Nanos());
                }
                answered[at] = sum(answered[at], window.answered());
                errors[at] = sum(errors[at], window.errors());
                length[at] = sum(length[at], window.lengthNanos());
            }
            for (int i = 0; i < points; i++) {
                p50[i] = millis(p50[i]);
                p99[i] = millis(p99[i]);
                // A short last piece has too few requests for a rate.
                boolean whole = length[i] > bin / 2;
                answered[i] = whole ? Math.rint(answered[i] * 1e10 / length[i]) / 10 : Double.NaN;
                errors[i] = whole ? Math.rint(errors[i] * 1e10 / length[i]) / 10 : Double.NaN;
            }
            list(json, "p50", p50);
            list(json, "p99", p99);
            list(json, "rate", answered);
            if (Arrays.stream(errors).anyMatch(one -> one > 0)) {
                list(json, "errors", errors);
            }
        }

        /// Stolen share of processor time, in percent. A window shorter than the sampling interval of the host
        /// has none; its time is counted in the next one.
        private void stolen(Json json, Measured one) {
            DecodedResult load = one.middle().load();
            long processors = load == null ? 0 : load.host().processors();
            double[] nanos = nothing();
            double[] length = nothing();
            for (Window window : windows(one)) {
                int at = point(window.fromNanos() + window.lengthNanos() / 2);
                nanos[at] = sum(nanos[at], window.stolenNanos());
                length[at] = sum(length[at], window.lengthNanos());
            }
            if (processors == 0 || Arrays.stream(nanos).noneMatch(taken -> taken > 0)) {
                return;
            }
            double[] percent = nothing();
            for (int i = 0; i < points; i++) {
                percent[i] = Math.rint(Math.min(100, 100 * nanos[i] / (length[i] * processors)) * 10) / 10;
            }
            list(json, "stolen", percent);
        }

        private double[] nothing() {
            double[] cells = new double[points];
            Arrays.fill(cells, Double.NaN);
            return cells;
        }

        private static double sum(double a, double b) {
            return Double.isNaN(a) ? b : a + b;
        }

        static void list(Json json, String name, double[] values) {
            json.openList(name);
            json.add(values);
            json.closeList();
        }

        /// Processors in use between consecutive samples.
        private void samples(Json json, List<Sample> samples) {
            double[] cpu = nothing();
            double[] rss = nothing();
            @Nullable Sample before = null;
            for (Sample sample : samples) {
                if (before != null && sample.fromNanos() > before.fromNanos()) {
                    double used = (sample.cpuNanos() - before.cpuNanos()) / (sample.fromNanos() - before.fromNanos());
                    int at = point((sample.fromNanos() + before.fromNanos()) / 2);
                    cpu[at] = Math.rint(used * 1000) / 1000;
                    rss[at] = Math.rint(sample.rssBytes() / (1 << 20));
                }
                before = sample;
            }
            if (Arrays.stream(cpu).anyMatch(Double::isFinite)) {
                list(json, "cpu", cpu);
                list(json, "rss", rss);
            }
        }

        private void lanes(Json json, Measured one) {
            MeasuredStep step = one.middle();
            TreeMap<String, List<Event>> kinds = new TreeMap<>();
            for (Event event : step.samples().events()) {
                kinds.computeIfAbsent(event.kind(), _ -> new ArrayList<>()).add(event);
            }
            kinds.forEach((kind, events) -> {
                json.open()
                        .put("name", Measured.title(one.variant(), to.words()))
                        .put("event", to.words().getOr("event." + kind, kind))
                        .put("colour", one.colour())
                        .put("count", (long) events.size())
                        .openList("spans");
                spans(events).forEach(span -> json.add(span[0], span[1]));
                json.closeList().close();
            });
        }

        /// Start and end in seconds; spans that would be indistinguishable are merged.
        private List<double[]> spans(List<Event> events) {
            double near = points * bin / 1e9 / MOST_SPANS;
            List<double[]> spans = new ArrayList<>();
            events.stream()
                    .sorted(Comparator.comparingDouble(Event::fromNanos))
                    .filter(event -> event.toNanos() >= 0 && event.fromNanos() <= points * bin)
                    .forEach(event -> {
                        double from = Math.max(0, event.fromNanos() / 1e9);
                        double until = event.toNanos() / 1e9;
                        if (!spans.isEmpty() && from - spans.getLast()[1] < near && events.size() > MOST_SPANS) {
                            spans.getLast()[1] = Math.max(spans.getLast()[1], until);
                        } else {
                            spans.add(new double[] {from, until});
                        }
                    });
            return spans;
        }
    }
}
