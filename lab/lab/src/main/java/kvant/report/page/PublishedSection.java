package kvant.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import kvant.lab.result.ExperimentRecord.Published;
import kvant.lab.result.ExperimentRecord.Source;
import kvant.lab.result.PhaseRecord;
import kvant.report.page.Block.Cell;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;

/// What others published on the same question, beside what was measured here.
final class PublishedSection {

    private PublishedSection() {}

    static void write(Writer to) {
        List<Published> published = to.results().experiment().published();
        if (published.isEmpty()) {
            return;
        }
        to.heading(2, "published", to.get("published.title"));
        to.note(to.get("published.note"));
        source(to);
        TreeSet<Double> percentiles = new TreeSet<>();
        published.forEach(one -> percentiles.addAll(one.percentiles().keySet()));
        List<List<Cell>> rows = new ArrayList<>();
        for (Published one : published) {
            rows.add(published(to, one, percentiles));
            rows.add(measured(to, one, percentiles));
        }
        List<String> head =
                new ArrayList<>(List.of(to.get("column.phase"), to.get("column.variant"), to.get("published.column")));
        for (double percentile : percentiles) {
            head.add(
                    percentile >= 100
                            ? to.get("column.max")
                            : "p" + to.words().numbers().fixed(percentile, PhaseSection.decimals(percentile)));
        }
        to.table(head, rows);
        List<String> notes = published.stream()
                .filter(one -> !one.note().isEmpty())
                .map(one ->
                        one.variant() + ", " + one.phase() + ": " + to.words().choose(one.note(), one.noteRu()))
                .toList();
        if (!notes.isEmpty()) {
            to.note(String.join(" · ", notes));
        }
    }

    /// Where the experiment was published, if it was.
    static void source(Writer to) {
        Source source = to.results().experiment().source();
        if (source != null) {
            to.note(to.say(Phrase.of("published.source")
                    .with("title", to.words().choose(source.title(), source.titleRu()))
                    .with("stage", to.words().choose(source.stage(), source.stageRu()))
                    .with("course", source.course())
                    .with("year", source.year())
                    .with("links", String.join(", ", source.links()))));
        }
    }

    private static List<Cell> published(Writer to, Published one, TreeSet<Double> percentiles) {
        List<Cell> row = start(one, to.get("published.theirs"));
        for (double percentile : percentiles) {
            double millis = one.percentiles().getOrDefault(percentile, Double.NaN);
            row.add(Cell.number(
                    Double.isNaN(millis) ? Numbers.NONE : to.words().numbers().millis(millis * 1e6)));
        }
        return row;
    }

    private static List<Cell> measured(Writer to, Published one, TreeSet<Double> percentiles) {
        List<Cell> row = start(one, to.get("published.ours"));
        Measured found = to.results().phases().stream()
                .filter(phase -> phase.name().equals(one.phase()))
                .flatMap((PhaseRecord phase) -> Measured.of(to.results(), phase).stream())
                .filter(measured -> measured.variant().name().equals(one.variant()) && measured.usable())
                .findFirst()
                .orElse(null);
        for (double percentile : percentiles) {
            row.add(Cell.number(
                    found == null
                            ? Numbers.NONE
                            : to.words()
                                    .numbers()
                                    .millis(Measured.median(found.eachLoad(
                                            load -> load.response().getValueAtPercentile(percentile))))));
        }
        return row;
    }

    private static List<Cell> start(Published one, String whose) {
        return new ArrayList<>(List.of(Cell.text(one.phase()), Cell.text(one.variant()), Cell.text(whose)));
    }
}
