package kvant.report.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import kvant.lab.result.RunRecord.PhaseRecord;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.lab.result.TailRecord;
import kvant.report.folder.Results.MeasuredStep;
import kvant.report.page.Block.Cell;
import kvant.report.page.Content.Columns;
import kvant.report.verdict.Verdict;
import kvant.report.words.Phrase;
import kvant.report.words.Phrase.Value;
import org.jspecify.annotations.Nullable;

/// The attribution of the slowest requests' time, as bars and as a table.
final class TailSection {

    /// Parts in the order in which a request passes through them.
    static final List<String> PARTS = List.of("""
            generator kernel read queue executor engineRead groupCommit sync logChange stall deliver write gc \
            safepoint unknown""".split(" "));

    /// Attributed share below which there is a warning.
    private static final double ENOUGH = 0.95;

    /// Smallest share of a verdict's bars with a name in the legend, because a phone has no space for more.
    private static final double LEAST_NAMED = 0.01;

    /// Number of parts of a verdict's bars that are named in text, because a phone shows no tooltips.
    private static final int FOREMOST = 2;

    private record Row(String phase, String variant, String title, TailRecord tail) {

        double share(String part) {
            TailRecord.Band band = tail.whole();
            return band.meanNanos() > 0 ? band.parts().getOrDefault(part, 0.0) / band.meanNanos() : 0;
        }
    }

    private TailSection() {}

    static void write(Content to) {
        List<Row> rows = rows(to);
        to.heading(2, "tail", to.get("tail.title"));
        if (rows.isEmpty()) {
            to.text(to.get("tail.none"));
            return;
        }
        to.note(to.get("tail.note"));
        for (Row row : rows) {
            if (row.tail.attributedShare() < ENOUGH) {
                to.add(new Block.Warning(
                        to.say(Phrase.of("tail.attributed")
                                .with("variant", row.variant)
                                .with("phase", row.phase)
                                .with("share", Value.percent(row.tail.attributedShare()))),
                        List.of()));
            }
        }
        to.add(bars(to, rows));
        to.add(new Block.Folded(to.get("tail.table"), List.of(table(to, rows))));
        rows.stream()
                .flatMap(row -> row.tail.notes().stream())
                .distinct()
                .map(to::say)
                .forEach(to::note);
    }

    /// Bars for both sides of a verdict about the tail, for its card; null if the tail of neither is known.
    static Block.@Nullable Bars bars(Content to, Verdict verdict) {
        Verdict.Decided decided = verdict.decided();
        if (decided == null || !decided.metric().isTail()) {
            return null;
        }
        List<Row> rows = rows(to).stream()
                .filter(row -> row.phase.equals(verdict.phase()))
                .filter(row -> List.of(verdict.a(), verdict.b()).contains(row.variant))
                .filter(row -> row.tail.whole().meanNanos() > 0)
                .sorted(Comparator.comparing(row -> row.variant.equals(verdict.b()))) // the question's first first
                .toList();
        if (rows.isEmpty()) {
            return null;
        }
        List<String> named = parts(rows).stream()
                .filter(part -> rows.stream().anyMatch(row -> row.share(part) >= LEAST_NAMED))
                .toList();
        List<Block.Bar> bars =
                rows.stream().map(row -> bar(to, row, row.title, told(to, row))).toList();
        return new Block.Bars(to.get("tail.card"), keys(to, named), bars);
    }

    private static List<Row> rows(Content to) {
        List<Row> rows = new ArrayList<>();
        for (PhaseRecord phase : to.phases()) {
            for (VariantRecord variant : to.results().variants()) {
                List<TailRecord> tails = to.results().steps(variant.name(), phase.name()).stream()
                        .map(MeasuredStep::tail)
                        .filter(Objects::nonNull)
                        .toList();
                if (!tails.isEmpty()) {
                    rows.add(new Row(
                            phase.name(),
                            variant.name(),
                            Measured.title(variant, to.words()),
                            TailRecord.joined(tails)));
                }
            }
        }
        return rows;
    }

    private static Set<String> parts(List<Row> rows) {
        Set<String> present = new LinkedHashSet<>();
        rows.forEach(row ->
                row.tail.bands().forEach(band -> present.addAll(band.parts().keySet())));
        Set<String> ordered = new LinkedHashSet<>(PARTS);
        ordered.retainAll(present);
        ordered.addAll(present); // unknown parts come last
        return ordered;
    }

    private static String name(Content to, String part) {
        return to.words().getOr("part." + part, part);
    }

    private static String colour(String part) {
        return PARTS.contains(part) ? "part-" + part : "part-unknown";
    }

    private static String band(Content to, TailRecord.Band band) {
        Phrase name = Phrase.of(
                band.to() >= 100 ? "tail.above" : "tail.band",
                "from",
                to.words().percentile(band.from()));
        return to.say(name.with("to", to.words().percentile(band.to())));
    }

    private static Block.Bars bars(Content to, List<Row> rows) {
        List<Block.Bar> bars = rows.stream()
                .filter(row -> row.tail.whole().requests() > 0)
                .map(row -> bar(to, row, row.phase + " · " + row.title, value(to, row)))
                .toList();
        return new Block.Bars("", keys(to, parts(rows)), bars);
    }

    private static List<Block.Key> keys(Content to, Collection<String> parts) {
        return parts.stream()
                .map(part -> new Block.Key(colour(part), name(to, part)))
                .toList();
    }

    private static Block.Bar bar(Content to, Row row, String label, String value) {
        TailRecord.Band band = row.tail.whole();
        List<Block.Part> of = new ArrayList<>();
        for (String part : parts(List.of(row))) {
            double share = row.share(part);
            if (share > 0) {
                String took = to.numbers().time(share * band.meanNanos()) + ", "
                        + to.numbers().percent(share, 0);
                of.add(new Block.Part(colour(part), name(to, part), Math.min(1, share), took));
            }
        }
        return new Block.Bar(label, value, 1, of);
    }

    private static String value(Content to, Row row) {
        TailRecord.Band slowest = row.tail.whole();
        return to.say("tail.value", "mean", Value.nanos(slowest.meanNanos()), "n", slowest.requests());
    }

    /// Text with the largest parts of the time.
    private static String told(Content to, Row row) {
        List<Value> foremost = parts(List.of(row)).stream()
                .filter(part -> row.share(part) > 0)
                .sorted(Comparator.comparingDouble((String part) -> -row.share(part)))
                .limit(FOREMOST)
                .map(part -> Value.text(name(to, part) + " " + to.numbers().percent(row.share(part), 0)))
                .toList();
        return to.say(Phrase.of("tail.foremost", "value", value(to, row), "parts", new Value.Listing(foremost)));
    }

    /// A band of a variant: a row of the table.
    private record Line(Row row, TailRecord.Band band) {

        String share(Content to, Map<String, Double> nanos, String part) {
            return to.numbers().percent(nanos.getOrDefault(part, 0.0) / Math.max(1, band.meanNanos()), -1);
        }
    }

    private static Block table(Content to, List<Row> rows) {
        Columns<Line> columns = new Columns<Line>(to)
                .text("column.phase", line -> line.row.phase)
                .text("column.variant", line -> line.row.variant)
                .text("tail.column", line -> band(to, line.band))
                .number("tail.mean", line -> to.numbers().time(line.band.meanNanos()));
        for (String part : parts(rows)) {
            columns.column(name(to, part), line -> Cell.number(line.share(to, line.band.parts(), part)));
        }
        Set<String> meanwhile = new LinkedHashSet<>(); // background work of the node, in any band
        rows.forEach(row -> row.tail
                .bands()
                .forEach(band -> meanwhile.addAll(band.meanwhile().keySet())));
        for (String work : meanwhile) {
            columns.column(
                    to.words().getOr("meanwhile." + work, work),
                    line -> Cell.number(line.share(to, line.band.meanwhile(), work)));
        }
        return columns.of(rows.stream()
                .flatMap(row -> row.tail.bands().stream().map(band -> new Line(row, band)))
                .toList());
    }
}
