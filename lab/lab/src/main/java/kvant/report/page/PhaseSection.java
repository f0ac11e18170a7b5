package kvant.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import kvant.lab.result.PhaseRecord;
import kvant.report.folder.DecodedResult;
import kvant.report.page.Block.Cell;
import kvant.report.verdict.Metric;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;
import kvant.report.words.Value;
import kvant.text.Units;
import org.HdrHistogram.Histogram;

/// The latencies of all variants under one load: a chart by percentile, a table, and charts over time.
final class PhaseSection {

    static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};

    private PhaseSection() {}

    static void write(Content to, PhaseRecord phase, int number) {
        List<Measured> all = Measured.of(to.results(), phase);
        to.heading(2, "phase-" + number, to.say(Phrase.of("phase.title").with("phase", phase.name())));
        to.note(asked(to, phase));
        List<Measured> measured = all.stream().filter(one -> !one.isEmpty()).toList();
        if (measured.isEmpty()) {
            to.text(to.get("phase.nothing"));
            return;
        }
        to.heading(3, "percentiles-" + number, to.get("percentiles.title"));
        to.add(LatencyChart.of(to, measured));
        to.note(to.get("percentiles.note"));
        if (to.results().run().experiment().published().stream()
                .anyMatch(one -> one.phase().equals(phase.name()))) {
            to.note(to.get("percentiles.published"));
        }
        percentiles(to, all);
        to.note(to.get("percentiles.table"));
        to.heading(3, "time-" + number, to.get("time.title"));
        to.add(TimeChart.of(to, measured));
        to.note(to.say(Phrase.of("time.note")
                .with(
                        "steps",
                        new Value.Listing(measured.stream()
                                .map(one -> Value.text(one.middle().id()))
                                .toList()))));
    }

    private static String asked(Content to, PhaseRecord phase) {
        List<Value> parts = new ArrayList<>();
        parts.add(Value.text(phase.workload()));
        parts.add(
                phase.rate() > 0
                        ? new Value.Nested(Phrase.of("value.rate").with("rate", Value.number(phase.rate())))
                        : Value.text(to.get("phase.closed")));
        if (phase.connections() > 0) {
            parts.add(new Value.Nested(Phrase.of("phase.connections").counted(phase.connections())));
        }
        if (phase.threads() > 0) {
            parts.add(new Value.Nested(Phrase.of("phase.threads").counted(phase.threads())));
        }
        if (phase.durationNanos() > 0) {
            parts.add(Value.nanos(phase.durationNanos()));
        }
        if (phase.warmup().equals("auto")) {
            parts.add(Value.text(to.get("phase.warmupAuto")));
        } else if (!phase.warmup().isEmpty()) {
            parts.add(new Value.Nested(Phrase.of("phase.warmup").with("warmup", warmup(phase.warmup()))));
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
        Numbers numbers = to.words().numbers();
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
        return to.say(Phrase.of("rounds.of").with("usable", Value.count(usable)).with("planned", Value.count(planned)));
    }

    /// True if enough requests are beyond a percentile; otherwise it depends on a few accidental values.
    private static boolean isTold(Measured one, double percentile) {
        return !one.isEmpty() && one.loads().stream().allMatch(Metric.percentile(percentile)::isTold);
    }

    private static Cell millis(Content to, double[] ascending) {
        Numbers numbers = to.words().numbers();
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
}
