package kvant.lab.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import kvant.lab.result.ExperimentRecord.Published;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.ExperimentRecord.Source;
import kvant.load.record.Percentiles;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;

/// Writes an experiment as a file that [ExperimentReader] reads back as the same: what was run,
/// spelt out, so that it can be run again without the file that it came from.
public final class ExperimentText {

    private ExperimentText() {}

    public static String of(Experiment experiment) {
        Map<String, Object> root = head(experiment);
        root.put(
                "variants",
                experiment.variants().stream().map(ExperimentText::variant).toList());
        root.put(
                "phases",
                experiment.phases().stream().map(ExperimentText::phase).toList());
        if (experiment.profiling().isWanted()) {
            root.put("profile", profile(experiment.profiling()));
        }
        optional(
                root,
                "questions",
                experiment.questions().stream().map(ExperimentText::question).toList());
        optional(
                root,
                "published",
                experiment.published().stream().map(ExperimentText::published).toList());
        StringBuilder text = new StringBuilder();
        root.forEach((key, value) -> member(text, key, value));
        return text.toString();
    }

    private static Map<String, Object> head(Experiment experiment) {
        Map<String, Object> root = new LinkedHashMap<>();
        optional(root, "letter", experiment.letter());
        root.put("name", experiment.name());
        root.put("title", experiment.title());
        optional(root, "title-ru", experiment.titleRu());
        optional(root, "description", experiment.description());
        optional(root, "description-ru", experiment.descriptionRu());
        if (experiment.source() != null) {
            root.put("source", source(experiment.source()));
        }
        optional(
                root,
                "objective",
                experiment.objective() == null ? "" : experiment.objective().toString());
        root.put("repeats", experiment.repeats());
        HostBound bound = experiment.disturbed();
        root.put("disturbed", HostBound.text(bound.above()));
        root.put("again", bound.again());
        optional(root, "interleaved", bound.isInterleaved() ? bound.slice().toMillis() + "ms" : "");
        boolean own = !experiment.atMost().equals(Experiment.USUAL_AT_MOST);
        optional(root, "at-most", own ? experiment.atMost().toMillis() + "ms" : "");
        optional(
                root,
                "nice",
                experiment.nice().isNone() ? "" : experiment.nice().text());
        optional(root, "awake", experiment.awake() ? "true" : "");
        optional(root, "realtime", experiment.realtime() ? "true" : "");
        optional(
                root,
                "scale",
                experiment.scale() == Scale.FULL ? "" : experiment.scale().key());
        return root;
    }

    private static Map<String, Object> source(Source source) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("title", source.title());
        optional(members, "title-ru", source.titleRu());
        optional(members, "course", source.course());
        optional(members, "year", source.year());
        optional(members, "stage", source.stage());
        optional(members, "stage-ru", source.stageRu());
        members.put("links", source.links());
        return members;
    }

    private static Map<String, Object> variant(Variant variant) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("name", variant.name());
        members.put("title", variant.title());
        optional(members, "title-ru", variant.titleRu());
        optional(members, "connections", variant.connections() > 0 ? variant.connections() : "");
        optional(members, "phases", variant.phases());
        switch (variant.server()) {
            case Server.Kvant node -> {
                optional(
                        members,
                        "program",
                        node.program() == Server.Program.SERVE
                                ? ""
                                : node.program().key());
                members.put("serve", node.flags());
                optional(members, "jvm", node.jvm());
            }
            case Server.External external -> {
                members.put("command", external.command());
                members.put("url", external.url());
                members.put("ready", external.ready());
                members.put("environment", external.environment());
                if (external.isJava()) {
                    members.put("jvm", external.jvm());
                }
                optional(members, "entity-path", external.entityPath());
                optional(members, "scan-path", external.scanPath());
                members.put("folder", external.folder());
                members.put("start-timeout", external.startTimeout().toMillis() + "ms");
                members.put("dialect", external.peer().dialect().key());
                optional(members, "needs", external.peer().needs());
                optional(members, "version", external.peer().version());
            }
        }
        return members;
    }

    private static Map<String, Object> phase(Phase phase) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("name", phase.name());
        members.putAll(phase.settings());
        return members;
    }

    private static Map<String, Object> profile(Profiling profiling) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("events", profiling.events());
        members.put("threads", profiling.threads());
        members.put("duration", profiling.duration().toMillis() + "ms");
        members.put("slow", profiling.slowNanos() / 1000 + "us");
        members.put("variants", profiling.variants());
        members.put("phases", profiling.phases());
        return members;
    }

    private static Map<String, Object> question(Question question) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("id", question.id());
        members.put("text", question.text());
        optional(members, "text-ru", question.textRu());
        members.put("compare", question.compare());
        optional(members, "phase", question.phase());
        members.put("metric", question.metric());
        members.put("margin", Question.margin(question.margin()));
        return members;
    }

    private static Map<String, Object> published(Published figures) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("variant", figures.variant());
        members.put("phase", figures.phase());
        Map<String, Object> millis = new LinkedHashMap<>();
        figures.percentiles().forEach((percentile, value) -> millis.put(Percentiles.name(percentile), value));
        members.put("percentiles", millis);
        optional(members, "note", figures.note());
        optional(members, "note-ru", figures.noteRu());
        return members;
    }

    private static void optional(Map<String, Object> members, String key, Object value) {
        if (!value.equals("") && !value.equals(List.of()) && !value.equals(Map.of())) {
            members.put(key, value);
        }
    }

    // --- the text ---------------------------------------------------------------------------------------------------

    /// A mapping or a list of mappings has its members below it; each of theirs is a line.
    private static void member(StringBuilder text, String key, Object value) {
        text.append(key).append(':');
        switch (value) {
            case Map<?, ?> members -> lines(text.append('\n'), "  ", members);
            case List<?> items -> {
                text.append('\n');
                for (Object item : items) {
                    StringBuilder lines = new StringBuilder();
                    lines(lines, "    ", (Map<?, ?>) item);
                    text.append(lines.replace(2, 3, "-"));
                }
            }
            default -> text.append(' ').append(inLine(value)).append('\n');
        }
    }

    private static void lines(StringBuilder text, String indent, Map<?, ?> members) {
        members.forEach((key, value) -> text.append(indent)
                .append(key)
                .append(": ")
                .append(inLine(value))
                .append('\n'));
    }

    private static String inLine(@Nullable Object value) {
        return switch (value) {
            case List<?> list -> list.stream().map(ExperimentText::inLine).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> map -> {
                List<String> members = new ArrayList<>();
                map.forEach((key, one) -> members.add(inLine(key) + ": " + inLine(one)));
                yield "{" + String.join(", ", members) + "}";
            }
            case null, default -> quoted(String.valueOf(value));
        };
    }

    /// Words as they are; all else in the quotes of JSON, which YAML reads too.
    private static String quoted(String value) {
        return value.matches("[A-Za-z0-9][A-Za-z0-9._+-]*") ? value : Json.quote(value);
    }
}
