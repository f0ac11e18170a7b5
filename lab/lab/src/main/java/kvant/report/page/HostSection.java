package kvant.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import kvant.lab.result.PhaseRecord;
import kvant.lab.result.VariantRecord;
import kvant.load.host.HostFacts;
import kvant.report.folder.LoadResult;
import kvant.report.folder.Results;
import kvant.report.folder.Step;
import kvant.report.inference.Design;
import kvant.report.page.Block.Cell;
import kvant.report.verdict.Judge;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;
import kvant.report.words.Value;

/// What the machine did while it measured: who else worked, and who took processors away.
final class HostSection {

    private HostSection() {}

    static void write(Writer to) {
        List<List<Cell>> rows = new ArrayList<>();
        for (PhaseRecord phase : to.results().phases()) {
            for (VariantRecord variant : to.results().variants()) {
                List<HostFacts> facts = to.results().steps(variant.name(), phase.name()).stream()
                        .map(Step::load)
                        .filter(Objects::nonNull)
                        .map(LoadResult::host)
                        .filter(HostFacts::isKnown)
                        .toList();
                if (!facts.isEmpty()) {
                    rows.add(row(to, phase.name(), variant.name(), facts));
                }
            }
        }
        to.heading(3, "host", to.get("host.title"));
        if (rows.isEmpty()) {
            to.text(to.get("host.none"));
            return;
        }
        to.note(to.get("host.note"));
        double bound = to.results().experiment().disturbedAbove();
        to.note(Double.isNaN(bound) ? to.get("host.ruleOff") : to.say(rule(bound, Judge.design(to.results()))));
        int discarded = discarded(to.results());
        if (discarded > 0) {
            boolean turns = to.results().experiment().interleavedNanos() > 0;
            to.note(to.say(Phrase.of(turns ? "host.again.turns" : "host.again").with("n", Value.count(discarded))));
        }
        List<String> head = new ArrayList<>(List.of(to.get("column.phase"), to.get("column.variant")));
        for (String column : List.of("own", "others", "stolen", "throttled", "waited", "disturbed")) {
            head.add(to.get("host." + column));
        }
        to.table(head, rows);
    }

    /// Attempts that count for nothing. A turn of an interleaved round is one of all variants, and each step has it.
    static int discarded(Results results) {
        boolean turns = results.experiment().interleavedNanos() > 0;
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

    private static List<Cell> row(Writer to, String phase, String variant, List<HostFacts> facts) {
        Numbers numbers = to.words().numbers();
        long looks = facts.stream().mapToLong(HostFacts::looks).sum();
        long disturbed = facts.stream().mapToLong(HostFacts::disturbed).sum();
        return List.of(
                Cell.text(phase),
                Cell.text(variant),
                Cell.number(number(numbers, mean(facts, HostFacts::ownProcessors))),
                Cell.number(number(numbers, mean(facts, HostFacts::otherProcessors))),
                Cell.number(percent(numbers, mean(facts, HostFacts::stolenShare))),
                Cell.number(percent(numbers, mean(facts, HostFacts::throttledShare))),
                Cell.number(percent(numbers, mean(facts, HostFacts::waitedForCpu))),
                Cell.number(to.say(Phrase.of("rounds.of")
                        .with("usable", Value.count(disturbed))
                        .with("planned", Value.count(looks)))));
    }

    private static double mean(List<HostFacts> facts, ToDoubleFunction<HostFacts> figure) {
        return facts.stream()
                .mapToDouble(figure)
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
    }

    private static String number(Numbers numbers, double value) {
        return Double.isNaN(value) ? Numbers.NONE : numbers.fixed(value, 2);
    }

    private static String percent(Numbers numbers, double share) {
        return Double.isNaN(share) ? Numbers.NONE : numbers.percent(share, 1);
    }
}
