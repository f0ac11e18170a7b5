package kvant.lab.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import kvant.lab.result.ExperimentRecord.Source;
import kvant.load.record.Percentiles;

/// Writes an experiment as a file that [ExperimentReader] reads back as the same: what was run,
/// spelt out, so that it can be run again without the file that it came from.
public final class ExperimentText {

    private final StringBuilder text = new StringBuilder();

    private ExperimentText() {}

    public static String of(Experiment experiment) {
        ExperimentText own = new ExperimentText();
        own.head(experiment);
        own.text.append("variants:\n");
        experiment.variants().forEach(own::variant);
        own.text.append("phases:\n");
        for (Phase phase : experiment.phases()) {
            own.item("name", phase.name());
            phase.settings().forEach((key, value) -> own.member(4, key, value));
        }
        own.profiling(experiment.profiling());
        own.questions(experiment.questions());
        own.published(experiment.published());
        return own.text.toString();
    }

    private void head(Experiment experiment) {
        optional(0, "letter", experiment.letter());
        member(0, "name", experiment.name());
        member(0, "title", experiment.title());
        optional(0, "title-ru", experiment.titleRu());
        optional(0, "description", experiment.description());
        optional(0, "description-ru", experiment.descriptionRu());
        if (experiment.source() != null) {
            source(experiment.source());
        }
        if (experiment.objective() != null) {
            member(0, "objective", experiment.objective().toString());
        }
        member(0, "repeats", Integer.toString(experiment.repeats()));
        member(0, "disturbed", HostBound.text(experiment.disturbed().above()));
        member(0, "again", String.valueOf(experiment.disturbed().again()));
        if (experiment.disturbed().isInterleaved()) {
            member(0, "interleaved", experiment.disturbed().slice().toMillis() + "ms");
        }
        if (!experiment.atMost().equals(Experiment.USUAL_AT_MOST)) {
            member(0, "at-most", experiment.atMost().toMillis() + "ms");
        }
        if (!experiment.nice().isNone()) {
            member(0, "nice", experiment.nice().text());
        }
        if (experiment.awake()) {
            member(0, "awake", "true");
        }
        if (experiment.realtime()) {
            member(0, "realtime", "true");
        }
        if (experiment.scale() != Scale.FULL) {
            member(0, "scale", experiment.scale().key());
        }
    }

    private void source(Source source) {
        text.append("source:\n");
        member(2, "title", source.title());
        optional(2, "title-ru", source.titleRu());
        optional(2, "course", source.course());
        optional(2, "year", source.year());
        optional(2, "stage", source.stage());
        optional(2, "stage-ru", source.stageRu());
        list(2, "links", source.links());
    }

    private void variant(Variant variant) {
        item("name", variant.name());
        member(4, "title", variant.title());
        optional(4, "title-ru", variant.titleRu());
        if (variant.connections() > 0) {
            member(4, "connections", Integer.toString(variant.connections()));
        }
        if (!variant.phases().isEmpty()) {
            list(4, "phases", variant.phases());
        }
        switch (variant.server()) {
            case Server.Kvant node -> {
                if (node.program() != Server.Program.SERVE) {
                    member(4, "program", node.program().key());
                }
                map(4, "serve", node.flags());
                if (!node.jvm().isEmpty()) {
                    list(4, "jvm", node.jvm());
                }
            }
            case Server.External external -> {
                list(4, "command", external.command());
                member(4, "url", external.url());
                member(4, "ready", external.ready());
                map(4, "environment", external.environment());
                if (external.isJava()) {
                    list(4, "jvm", external.jvm());
                }
                optional(4, "entity-path", external.entityPath());
                optional(4, "scan-path", external.scanPath());
                member(4, "folder", external.folder());
                member(4, "start-timeout", external.startTimeout().toMillis() + "ms");
                peer(external.peer());
            }
        }
    }

    private void peer(Server.Peer peer) {
        member(4, "dialect", peer.dialect().key());
        if (!peer.needs().isEmpty()) {
            map(4, "needs", peer.needs());
        }
        if (!peer.version().isEmpty()) {
            list(4, "version", peer.version());
        }
    }

    private void profiling(Profiling profiling) {
        if (!profiling.isWanted()) {
            return;
        }
        text.append("profile:\n");
        list(2, "events", profiling.events());
        member(2, "threads", Boolean.toString(profiling.threads()));
        member(2, "duration", profiling.duration().toMillis() + "ms");
        member(2, "slow", profiling.slowNanos() / 1000 + "us");
        list(2, "variants", profiling.variants());
        list(2, "phases", profiling.phases());
    }

    private void questions(List<Question> questions) {
        if (questions.isEmpty()) {
            return;
        }
        text.append("questions:\n");
        for (Question question : questions) {
            item("id", question.id());
            member(4, "text", question.text());
            optional(4, "text-ru", question.textRu());
            list(4, "compare", question.compare());
            optional(4, "phase", question.phase());
            member(4, "metric", question.metric());
            member(4, "margin", Question.margin(question.margin()));
        }
    }

    private void published(List<Published> published) {
        if (published.isEmpty()) {
            return;
        }
        text.append("published:\n");
        for (Published figures : published) {
            item("variant", figures.variant());
            member(4, "phase", figures.phase());
            Map<String, String> millis = figures.millis().entrySet().stream()
                    .collect(Collectors.toMap(
                            one -> Percentiles.name(one.getKey()),
                            one -> one.getValue().toString(),
                            (a, _) -> a,
                            LinkedHashMap::new));
            map(4, "percentiles", millis);
            optional(4, "note", figures.note());
            optional(4, "note-ru", figures.noteRu());
        }
    }

    private void item(String key, String value) {
        text.append("  - ").append(key).append(": ").append(quoted(value)).append('\n');
    }

    private void optional(int indent, String key, String value) {
        if (!value.isEmpty()) {
            member(indent, key, value);
        }
    }

    private void member(int indent, String key, String value) {
        text.repeat(' ', indent).append(key).append(": ").append(quoted(value)).append('\n');
    }

    private void list(int indent, String key, List<String> values) {
        String all = values.stream().map(ExperimentText::quoted).collect(Collectors.joining(", "));
        text.repeat(' ', indent).append(key).append(": [").append(all).append("]\n");
    }

    private void map(int indent, String key, Map<String, String> values) {
        String all = values.entrySet().stream()
                .map(one -> quoted(one.getKey()) + ": " + quoted(one.getValue()))
                .collect(Collectors.joining(", "));
        text.repeat(' ', indent).append(key).append(": {").append(all).append("}\n");
    }

    /// Words as they are; all else in the quotes of JSON, which YAML reads too.
    private static String quoted(String value) {
        if (value.matches("[A-Za-z0-9][A-Za-z0-9._+-]*")) {
            return value;
        }
        StringBuilder quoted = new StringBuilder("\"");
        value.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }
}
