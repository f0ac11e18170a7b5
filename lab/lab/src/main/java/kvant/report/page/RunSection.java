package kvant.report.page;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.lab.result.Identity;
import kvant.lab.result.Machine;
import kvant.lab.result.Remark;
import kvant.lab.result.VariantRecord;
import kvant.load.result.Distribution;
import kvant.report.folder.LoadResult;
import kvant.report.folder.Results;
import kvant.report.folder.Step;
import kvant.report.page.Block.Cell;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;
import kvant.report.words.Value;
import org.jspecify.annotations.Nullable;

/// What was run where, and how to run it again.
final class RunSection {

    private RunSection() {}

    /// The line below the title.
    static String where(Writer to) {
        Machine machine = to.results().machine();
        List<String> parts = new ArrayList<>();
        parts.add(date(to.results().startedAt()));
        if (machine.cores() > 0) {
            parts.add(to.say(Phrase.of("machine.cores").counted(machine.cores())));
        }
        parts.add(machine.jvm());
        parts.add(commit(to, to.results().kvant()));
        String scale = to.results().experiment().scale();
        if (List.of("short", "quick", "decide").contains(scale)) {
            parts.add(to.get("run." + scale));
        }
        parts.removeIf(String::isEmpty);
        return String.join(" · ", parts);
    }

    private static String commit(Writer to, Identity kvant) {
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

    static void write(Writer to) {
        Results results = to.results();
        to.heading(2, "run", to.get("run.title"));
        List<List<Cell>> rows = new ArrayList<>();
        Machine machine = results.machine();
        fact(to, rows, "run.started", date(results.startedAt()));
        fact(to, rows, "run.ended", date(results.endedAt()));
        fact(to, rows, "run.cpu", machine.cpu());
        fact(to, rows, "run.cores", machine.cores() > 0 ? to.words().numbers().whole(machine.cores()) : "");
        fact(
                to,
                rows,
                "run.memory",
                machine.memoryBytes() > 0 ? to.words().numbers().bytes(machine.memoryBytes()) : "");
        fact(to, rows, "run.os", machine.os());
        fact(to, rows, "run.kernel", machine.kernel());
        fact(to, rows, "run.jvm", machine.jvm());
        Identity kvant = results.kvant();
        fact(to, rows, "run.version", kvant.version());
        String commit = kvant.commit() == null
                ? to.get("run.noCommit")
                : kvant.commit() + (kvant.changed() ? " " + to.get("machine.changed") : "");
        fact(to, rows, "run.commit", commit);
        to.table(List.of(to.get("run.what"), to.get("run.value")), rows);
        HostSection.write(to);
        to.heading(3, "repeat", to.get("run.repeat"));
        to.add(new Block.Code(results.command().isEmpty() ? List.of("–") : List.of(results.command())));
        variants(to, results.variants());
        Writer aside = to.aside();
        steps(aside);
        to.add(new Block.Folded(
                to.say(Phrase.of("steps.title").counted(results.steps().size())), aside.blocks()));
        to.heading(2, "method", to.get("method.title"));
        to.text(to.get("method.text"));
        to.text(to.get("method.claims"));
    }

    private static void variants(Writer to, List<VariantRecord> variants) {
        to.heading(3, "variants", to.get("variants.title"));
        for (VariantRecord variant : variants) {
            String own = Measured.title(variant, to.words());
            String title = own.equals(variant.name()) ? own : variant.name() + " – " + own;
            to.text(variant.version().isEmpty() ? title : title + " (" + variant.version() + ")");
            if (variant.command().isEmpty()) {
                to.note(to.get("variants.noCommand"));
            } else {
                to.add(new Block.Code(List.of(command(variant))));
            }
        }
    }

    private static void fact(Writer to, List<List<Cell>> rows, String key, String value) {
        rows.add(List.of(Cell.text(to.get(key)), Cell.text(value.isEmpty() ? to.get("run.unknown") : value)));
    }

    static String command(VariantRecord variant) {
        String options = variant.jvm().isEmpty()
                ? ""
                : "KVANT_JAVA_OPTS=" + shell(List.of(String.join(" ", variant.jvm()))) + " ";
        return options + shell(variant.command());
    }

    /// As one would type it.
    static String shell(List<String> command) {
        return String.join(
                " ",
                command.stream()
                        .map(word -> word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                        .toList());
    }

    private static void steps(Writer to) {
        List<List<Cell>> rows = new ArrayList<>();
        Numbers numbers = to.words().numbers();
        for (Step step : to.results().steps()) {
            @Nullable LoadResult load = step.load();
            @Nullable LoadResult timed = load != null && load.isTimed() ? load : null;
            rows.add(List.of(
                    Cell.text(step.id()),
                    Cell.text(status(to, step)),
                    Cell.number(load == null ? Numbers.NONE : numbers.number(load.achievedRate())),
                    Cell.number(
                            timed == null
                                    ? Numbers.NONE
                                    : numbers.time(timed.response().getValueAtPercentile(99))),
                    Cell.number(load == null ? Numbers.NONE : numbers.whole(load.errors())),
                    Cell.number(
                            timed == null
                                    ? Numbers.NONE
                                    : numbers.time(Distribution.p99Nanos(
                                            timed.file().latency().sendLag())))));
        }
        to.table(
                List.of(
                        to.get("steps.step"),
                        to.get("steps.status"),
                        to.get("column.rate"),
                        "p99",
                        to.get("errors.failed"),
                        to.get("steps.lag")),
                rows);
    }

    private static String status(Writer to, Step step) {
        List<String> parts = new ArrayList<>();
        parts.add(to.get("status." + step.status().name().toLowerCase(Locale.ROOT)));
        if (step.profiled()) {
            parts.add(to.get("status.profiled"));
        }
        @Nullable Remark why = step.reason() == null ? step.unreadable() : step.reason();
        if (why != null) {
            parts.add(to.say(why));
        }
        LoadResult load = step.load();
        if (load != null && !load.complete()) {
            parts.add(to.get("grade.partial"));
        } else if (load != null && !load.validity().equals("valid")) {
            parts.add(to.words().getOr("grade." + load.validity(), load.validity()));
        }
        return to.words().say(new Value.Listing(parts.stream().map(Value::text).toList()));
    }
}
