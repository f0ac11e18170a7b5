package kvant.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import kvant.lab.result.PhaseRecord;
import kvant.load.record.Percentiles;
import kvant.report.folder.LoadResult;
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

    static void write(Writer to, PhaseRecord phase, int number) {
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
        if (to.results().experiment().published().stream()
                .anyMatch(one -> one.phase().equals(phase.name()))) {
            to.note(to.get("percentiles.published"));
        }
        to.table(head(to), all.stream().map(one -> row(to, one)).toList());
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

    private static String asked(Writer to, PhaseRecord phase) {
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

    private static List<String> head(Writer to) {
        List<String> head = new ArrayList<>();
        head.add(to.get("column.variant"));
        for (double percentile : PERCENTILES) {
            head.add("p" + to.words().numbers().fixed(percentile, decimals(percentile)));
        }
        head.add(to.get("column.max"));
        head.add(to.get("column.rate"));
        head.add(to.get("column.rounds"));
        return head;
    }

    static int decimals(double percentile) {
        String label = Percentiles.name(percentile);
        return label.contains(".") ? label.length() - label.indexOf('.') - 1 : 0;
    }

    private static List<Cell> row(Writer to, Measured one) {
        List<Cell> row = new ArrayList<>();
        row.add(Cell.text(one.label(to.words())));
        for (double percentile : PERCENTILES) {
            ToDoubleFunction<LoadResult> figure = load -> load.response().getValueAtPercentile(percentile);
            row.add(isTold(one, percentile) ? millis(to, one.eachLoad(figure)) : Cell.number(Numbers.NONE));
        }
        row.add(millis(to, one.eachLoad(load -> load.isTimed() ? load.response().getMaxValue() : Double.NaN)));
        double rate = Measured.median(one.eachLoad(LoadResult::achievedRate));
        row.add(Cell.number(to.words().numbers().number(rate)));
        long planned =
                to.results().steps(one.variant().name(), one.phase().name()).size();
        long usable = one.usable() ? one.steps().size() : 0;
        row.add(Cell.number(to.say(
                Phrase.of("rounds.of").with("usable", Value.count(usable)).with("planned", Value.count(planned)))));
        return row;
    }

    /// A percentile with hardly a request beyond it is a few accidents.
    private static boolean isTold(Measured one, double percentile) {
        return !one.isEmpty() && one.loads().stream().allMatch(Metric.percentile(percentile)::isTold);
    }

    private static Cell millis(Writer to, double[] ascending) {
        Numbers numbers = to.words().numbers();
        if (ascending.length == 0) {
            return Cell.number(Numbers.NONE);
        }
        String range = ascending.length == 1
                ? ""
                : numbers.millis(ascending[0]) + "–" + numbers.millis(ascending[ascending.length - 1]);
        return Cell.number(numbers.millis(Measured.median(ascending)), range);
    }

    /// The largest position on the axis of nines that so many requests can tell.
    static double nines(Histogram histogram) {
        return Math.log10(Math.max(1, histogram.getTotalCount()));
    }
}
