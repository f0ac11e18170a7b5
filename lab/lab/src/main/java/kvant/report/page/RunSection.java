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
import java.util.function.ToDoubleFunction;
import kvant.lab.result.Identity;
import kvant.lab.result.Machine;
import kvant.lab.result.Remark;
import kvant.lab.result.VariantRecord;
import kvant.load.result.Distribution;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.MeasuredStep;
import kvant.report.folder.Results;
import kvant.report.page.Block.Cell;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;
import kvant.report.words.Value;
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
            parts.add(to.say(Phrase.of("machine.cores").counted(machine.cores())));
        }
        parts.add(machine.jvm());
        parts.add(commit(to, to.results().run().kvant()));
        String scale = to.results().run().experiment().scale();
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
        String commit =
                to.say(Phrase.of("machine.commit").with("commit", hash.substring(0, Math.min(12, hash.length()))));
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
        HostSection.write(to);
        to.heading(3, "repeat", to.get("run.repeat"));
        to.add(new Block.Code(results.command().isEmpty() ? List.of("–") : List.of(results.command())));
        variants(to, results.variants());
        Content aside = to.aside();
        steps(aside);
        to.add(new Block.Folded(
                to.say(Phrase.of("steps.title").counted(results.steps().size())), aside.blocks()));
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
        Numbers numbers = to.words().numbers();
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
        Numbers numbers = to.words().numbers();
        new Columns<MeasuredStep>(to)
                .text("steps.step", MeasuredStep::id)
                .text("steps.status", step -> status(to, step))
                .number("column.rate", step -> numbers.number(figure(step.load(), DecodedResult::achievedRate)))
                .column("p99", step -> Cell.number(numbers.time(timed(step, RunSection::p99Nanos))))
                .number("errors.failed", step -> numbers.fixed(figure(step.load(), DecodedResult::errors), 0))
                .number("steps.lag", step -> numbers.time(timed(step, RunSection::lagP99Nanos)))
                .write(to.results().steps());
    }

    private static double lagP99Nanos(DecodedResult load) {
        return Distribution.p99Nanos(load.file().latency().sendLag());
    }

    private static double p99Nanos(DecodedResult load) {
        return load.response().getValueAtPercentile(99);
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
}
