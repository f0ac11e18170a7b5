package kvant.report.page;

import java.util.List;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import kvant.lab.result.ExperimentRecord.Published;
import kvant.lab.result.ExperimentRecord.Source;
import kvant.report.page.Block.Cell;
import kvant.report.page.Content.Columns;
import kvant.report.words.Phrase;

/// Published figures for the same question, compared with those measured here.
final class PublishedSection {

    /// A row of the table: nanoseconds by percentile.
    private record Row(Published of, String whose, DoubleUnaryOperator nanos) {}

    private PublishedSection() {}

    static void write(Content to) {
        List<Published> published = to.experiment().published();
        if (published.isEmpty()) {
            return;
        }
        to.heading(2, "published", to.get("published.title"));
        to.note(to.get("published.note"));
        source(to);
        TreeSet<Double> percentiles = new TreeSet<>();
        published.forEach(one -> percentiles.addAll(one.percentiles().keySet()));
        Columns<Row> columns = new Columns<Row>(to)
                .text("column.phase", row -> row.of.phase())
                .text("column.variant", row -> row.of.variant())
                .text("published.column", Row::whose);
        for (double percentile : percentiles) {
            columns.column(
                    percentile >= 100 ? to.get("column.max") : "p" + to.words().percentile(percentile),
                    row -> Cell.number(to.numbers().millis(row.nanos.applyAsDouble(percentile))));
        }
        columns.write(published.stream()
                .flatMap(one -> Stream.of(
                        new Row(
                                one,
                                to.get("published.theirs"),
                                percentile -> one.percentiles().getOrDefault(percentile, Double.NaN) * 1e6),
                        new Row(one, to.get("published.ours"), measured(to, one))))
                .toList());
        List<String> notes = published.stream()
                .filter(one -> !one.note().isEmpty())
                .map(one ->
                        one.variant() + ", " + one.phase() + ": " + to.words().choose(one.note(), one.noteRu()))
                .toList();
        if (!notes.isEmpty()) {
            to.note(String.join(" · ", notes));
        }
    }

    /// Adds the publication of the experiment, if there is one.
    static void source(Content to) {
        Source source = to.experiment().source();
        if (source != null) {
            to.note(to.say(Phrase.of("published.source")
                    .with("title", to.words().choose(source.title(), source.titleRu()))
                    .with("stage", to.words().choose(source.stage(), source.stageRu()))
                    .with("course", source.course())
                    .with("year", source.year())
                    .with("links", String.join(", ", source.links()))));
        }
    }

    /// Medians of our measurements; NaN if nothing was measured.
    private static DoubleUnaryOperator measured(Content to, Published one) {
        return Measured.all(to.results()).stream()
                .filter(measured -> measured.phase().name().equals(one.phase()))
                .filter(measured -> measured.variant().name().equals(one.variant()) && measured.usable())
                .findFirst()
                .map(found -> (DoubleUnaryOperator) percentile ->
                        Measured.median(found.eachLoad(load -> load.response().getValueAtPercentile(percentile))))
                .orElse(_ -> Double.NaN);
    }
}
