package kvant.report.page;

import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import kvant.load.host.HostFacts;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.MeasuredStep;
import kvant.report.folder.Results;
import kvant.report.inference.Design;
import kvant.report.verdict.Judge;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;
import kvant.report.words.Value;

/// The activity of the machine during measurements: other work, and processor time taken away.
final class HostSection {

    /// The generator's observations of its host in the rounds of one variant under one load.
    private record Row(String phase, String variant, List<HostFacts> facts) {

        double mean(ToDoubleFunction<HostFacts> figure) {
            return facts.stream()
                    .mapToDouble(figure)
                    .filter(Double::isFinite)
                    .average()
                    .orElse(Double.NaN);
        }
    }

    private HostSection() {}

    static void write(Content to) {
        to.heading(3, "host", to.get("host.title"));
        List<Row> rows = to.results().run().phases().stream()
                .flatMap(phase -> to.results().variants().stream()
                        .map(variant -> new Row(phase.name(), variant.name(), facts(to, phase.name(), variant.name()))))
                .filter(row -> !row.facts.isEmpty())
                .toList();
        if (rows.isEmpty()) {
            to.text(to.get("host.none"));
            return;
        }
        to.note(to.get("host.note"));
        double bound = to.results().run().experiment().disturbedAbove();
        to.note(Double.isNaN(bound) ? to.get("host.ruleOff") : to.say(rule(bound, Judge.design(to.results()))));
        int discarded = discarded(to.results());
        if (discarded > 0) {
            boolean turns = to.results().run().experiment().interleavedNanos() > 0;
            to.note(to.say(Phrase.of(turns ? "host.again.turns" : "host.again").with("n", Value.count(discarded))));
        }
        Numbers numbers = to.words().numbers();
        new Columns<Row>(to)
                .text("column.phase", Row::phase)
                .text("column.variant", Row::variant)
                .number("host.own", row -> numbers.fixed(row.mean(HostFacts::ownProcessors), 2))
                .number("host.others", row -> numbers.fixed(row.mean(HostFacts::otherProcessors), 2))
                .number("host.stolen", row -> numbers.percent(row.mean(HostFacts::stolenShare), 1))
                .number("host.throttled", row -> numbers.percent(row.mean(HostFacts::throttledShare), 1))
                .number("host.waited", row -> numbers.percent(row.mean(HostFacts::waitedForCpu), 1))
                .number("host.disturbed", row -> disturbed(to, row))
                .write(rows);
    }

    private static List<HostFacts> facts(Content to, String phase, String variant) {
        return to.results().steps(variant, phase).stream()
                .map(MeasuredStep::load)
                .filter(Objects::nonNull)
                .map(DecodedResult::host)
                .filter(HostFacts::isKnown)
                .toList();
    }

    /// Number of discarded attempts. A turn of an interleaved round concerns all variants and is recorded in each step.
    static int discarded(Results results) {
        boolean turns = results.run().experiment().interleavedNanos() > 0;
        return results.steps().stream()
                .collect(Collectors.toMap(
                        step -> turns
                                ? step.phase() + " " + step.repeat()
                                : step.record().id(),
                        step -> step.record().discarded(),
                        Math::max))
                .values()
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    private static Phrase rule(double bound, Design design) {
        Phrase kept = design.looks()
                ? Phrase.of("host.rule.first").with("n", Value.count(design.settlingBlocks()))
                : Phrase.of("host.rule.all");
        return Phrase.of("host.rule").with("bound", Value.percent(bound)).with("kept", kept);
    }

    private static String disturbed(Content to, Row row) {
        long disturbed = row.facts.stream().mapToLong(HostFacts::disturbed).sum();
        long looks = row.facts.stream().mapToLong(HostFacts::looks).sum();
        return to.say(
                Phrase.of("rounds.of").with("usable", Value.count(disturbed)).with("planned", Value.count(looks)));
    }
}
