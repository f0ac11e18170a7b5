package kvant.report.page;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import kvant.lab.result.Identity;
import kvant.lab.result.Machine;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.load.host.HostFacts;
import kvant.load.result.Distribution;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.Results;
import kvant.report.folder.Results.MeasuredStep;
import kvant.report.inference.Schedule.Design;
import kvant.report.page.Block.Cell;
import kvant.report.page.Content.Columns;
import kvant.report.verdict.Judge;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;
import kvant.report.words.Phrase.Value;
import org.jspecify.annotations.Nullable;

/// The description of the run and its machine, and the command that repeats it.
final class RunSection {

    private RunSection() {}

    /// The line below the title.
    static String where(Content to) {
        Machine machine = to.results().run().machine();
        List<String> parts = new ArrayList<>();
        parts.add(date(to.results().run().startedAt()));
        if (machine.cores() > 0) {
            parts.add(to.say("machine.cores", "n", machine.cores()));
        }
        parts.add(machine.jvm());
        parts.add(commit(to, to.results().run().kvant()));
        String scale = to.experiment().scale();
        if (List.of("short", "quick", "decide").contains(scale)) {
            parts.add(to.get("run." + scale));
        }
        parts.removeIf(String::isEmpty);
        return String.join(" · ", parts);
    }

    private static String commit(Content to, Identity kvant) {
        @Nullable String hash = kvant.commit();
        if (hash == null) {
            return kvant.version();
        }
        String commit = to.say("machine.commit", "commit", hash.substring(0, Math.min(12, hash.length())));
        return kvant.changed() ? commit + " " + to.get("machine.changed") : commit;
    }

    /// The wall clock in UTC, to the minute.
    static String date(String iso) {
        try {
            return DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC)
                    .format(Instant.parse(iso));
        } catch (DateTimeParseException _) {
            return iso;
        }
    }

    static void write(Content to) {
        Results results = to.results();
        to.heading(2, "run", to.get("run.title"));
        facts(to);
        host(to);
        to.heading(3, "repeat", to.get("run.repeat"));
        to.add(new Block.Code(results.command().isEmpty() ? List.of("–") : List.of(results.command())));
        variants(to, results.variants());
        Content aside = to.aside();
        steps(aside);
        to.add(new Block.Folded(to.say("steps.title", "n", results.steps().size()), aside.blocks()));
        to.heading(2, "method", to.get("method.title"));
        to.text(to.get("method.text"));
        to.text(to.get("method.claims"));
    }

    private static void variants(Content to, List<VariantRecord> variants) {
        to.heading(3, "variants", to.get("variants.title"));
        for (VariantRecord variant : variants) {
            String own = Measured.title(variant, to.words());
            String title = own.equals(variant.name()) ? own : variant.name() + " – " + own;
            to.text(variant.version().isEmpty() ? title : title + " (" + variant.version() + ")");
            if (variant.command().isEmpty()) {
                to.note(to.get("variants.noCommand"));
            } else {
                to.add(new Block.Code(List.of(variant.typed())));
            }
        }
    }

    private static void facts(Content to) {
        Results results = to.results();
        Machine machine = results.run().machine();
        Numbers numbers = to.numbers();
        Identity kvant = results.run().kvant();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("run.started", date(results.run().startedAt()));
        facts.put("run.ended", date(results.run().endedAt()));
        facts.put("run.cpu", machine.cpu());
        facts.put("run.cores", machine.cores() > 0 ? numbers.whole(machine.cores()) : "");
        facts.put("run.memory", machine.memoryBytes() > 0 ? numbers.bytes(machine.memoryBytes()) : "");
        facts.put("run.os", machine.os());
        facts.put("run.kernel", machine.kernel());
        facts.put("run.jvm", machine.jvm());
        facts.put("run.version", kvant.version());
        String changed = kvant.changed() ? " " + to.get("machine.changed") : "";
        facts.put("run.commit", kvant.commit() == null ? to.get("run.noCommit") : kvant.commit() + changed);
        new Columns<Map.Entry<String, String>>(to)
                .text("run.what", fact -> to.get(fact.getKey()))
                .text("run.value", fact -> fact.getValue().isEmpty() ? to.get("run.unknown") : fact.getValue())
                .write(facts.entrySet());
    }

    private static void steps(Content to) {
        Numbers numbers = to.numbers();
        new Columns<MeasuredStep>(to)
                .text("steps.step", MeasuredStep::id)
                .text("steps.status", step -> status(to, step))
                .number("column.rate", step -> numbers.number(figure(step.load(), DecodedResult::achievedRate)))
                .column(
                        "p99",
                        step -> Cell.number(
                                numbers.time(timed(step, load -> load.response().getValueAtPercentile(99)))))
                .number("errors.failed", step -> numbers.fixed(figure(step.load(), DecodedResult::errors), 0))
                .number(
                        "steps.lag",
                        step -> numbers.time(timed(
                                step,
                                load -> Distribution.p99Nanos(
                                        load.file().latency().sendLag()))))
                .write(to.results().steps());
    }

    /// NaN if nothing was measured, or no request has a time.
    private static double timed(MeasuredStep step, ToDoubleFunction<DecodedResult> figure) {
        @Nullable DecodedResult load = step.load();
        @Nullable DecodedResult timed = load != null && load.isTimed() ? load : null;
        return figure(timed, figure);
    }

    private static double figure(@Nullable DecodedResult load, ToDoubleFunction<DecodedResult> figure) {
        return load == null ? Double.NaN : figure.applyAsDouble(load);
    }

    private static String status(Content to, MeasuredStep step) {
        List<String> parts = new ArrayList<>();
        parts.add(to.get("status." + step.status().name().toLowerCase(Locale.ROOT)));
        if (step.profiled()) {
            parts.add(to.get("status.profiled"));
        }
        @Nullable Remark why = step.reason() == null ? step.unreadable() : step.reason();
        if (why != null) {
            parts.add(to.say(why));
        }
        DecodedResult load = step.load();
        if (load != null && !load.complete()) {
            parts.add(to.get("grade.partial"));
        } else if (load != null && !load.validity().equals("valid")) {
            parts.add(to.words().getOr("grade." + load.validity(), load.validity()));
        }
        return to.words().say(new Value.Listing(parts.stream().map(Value::text).toList()));
    }

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

    /// The activity of the machine during measurements: other work, and processor time taken away.
    static void host(Content to) {
        to.heading(3, "host", to.get("host.title"));
        List<Row> rows = to.phases().stream()
                .flatMap(phase -> to.results().variants().stream()
                        .map(variant -> new Row(phase.name(), variant.name(), facts(to, phase.name(), variant.name()))))
                .filter(row -> !row.facts.isEmpty())
                .toList();
        if (rows.isEmpty()) {
            to.text(to.get("host.none"));
            return;
        }
        to.note(to.get("host.note"));
        double bound = to.experiment().disturbedAbove();
        to.note(Double.isNaN(bound) ? to.get("host.ruleOff") : rule(to, bound));
        int discarded = discarded(to.results());
        if (discarded > 0) {
            boolean turns = to.experiment().interleavedNanos() > 0;
            to.note(to.say(turns ? "host.again.turns" : "host.again", "n", discarded));
        }
        Numbers numbers = to.numbers();
        new Columns<Row>(to)
                .text("column.phase", Row::phase)
                .text("column.variant", Row::variant)
                .number("host.own", row -> numbers.fixed(row.mean(HostFacts::ownProcessors), 2))
                .number("host.others", row -> numbers.fixed(row.mean(HostFacts::otherProcessors), 2))
                .number("host.stolen", row -> numbers.percent(row.mean(HostFacts::stolenShare), 1))
                .number("host.throttled", row -> numbers.percent(row.mean(HostFacts::throttledShare), 1))
                .number("host.waited", row -> numbers.percent(row.mean(HostFacts::waitedForCpu), 1))
                .number(
                        "host.disturbed",
                        row -> to.say(
                                "rounds.of",
                                "usable",
                                row.facts.stream()
                                        .mapToLong(HostFacts::disturbed)
                                        .sum(),
                                "planned",
                                row.facts.stream().mapToLong(HostFacts::looks).sum()))
                .write(rows);
    }

    private static String rule(Content to, double bound) {
        Design design = Judge.design(to.results());
        Phrase kept = design.looks()
                ? Phrase.of("host.rule.first", "n", design.settlingBlocks())
                : Phrase.of("host.rule.all");
        return to.say("host.rule", "bound", Value.percent(bound), "kept", kept);
    }

    private static List<HostFacts> facts(Content to, String phase, String variant) {
        return to.results().steps(variant, phase).stream()
                .map(MeasuredStep::load)
                .filter(Objects::nonNull)
                .map(DecodedResult::host)
                .filter(HostFacts::isKnown)
                .toList();
    }

    /// Number of discarded attempts. A turn of an interleaved round concerns all variants and is recorded
    /// in each step.
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
}
