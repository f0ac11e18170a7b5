package kvant.lab.experiment;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.experiment.Experiment.Niceness;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Variant.Server;
import kvant.load.dialect.Dialect;
import kvant.load.record.Percentiles;
import kvant.load.result.RecordJson;
import kvant.load.search.Objective;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;

/// Writes an experiment as a file that [ExperimentReader] reads back as the same. It contains everything that was run,
/// so that the run can be repeated without the original file.
///
/// A component of a record is a key of the same name. An empty one is omitted, if that means the same.
public final class ExperimentText {

    /// Records whose keys are merged into those of the enclosing record.
    private static final List<Class<? extends Record>> UNWRAPPED =
            List.of(HostBound.class, Server.Kvant.class, Server.External.class, Server.Peer.class);

    private static final Set<Object> EMPTY = Set.of("", 0, List.of(), Map.of());
    private static final Set<String> NEVER_LEFT_OUT = Set.of("title", "url", "ready", "again");

    private ExperimentText() {}

    public static String of(Experiment experiment) {
        StringBuilder text = new StringBuilder();
        members(experiment).forEach((key, value) -> member(text, key, value));
        return text.toString();
    }

    private static Map<String, Object> members(Record record) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (record instanceof Phase phase) {
            members.put("name", phase.name());
            members.putAll(phase.settings());
            return members;
        }
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            String name = component.getName();
            @Nullable Object value = RecordJson.value(record, component);
            if (name.equals("isJava")) { // implied by JVM options, even if empty
                members.putAll(Boolean.TRUE.equals(value) ? Map.of("jvm", List.of()) : Map.of());
            } else if (value instanceof Record part && UNWRAPPED.contains(part.getClass())) {
                members.putAll(members(part));
            } else {
                String key = key(name);
                Object written = written(value);
                if (!EMPTY.contains(written) || NEVER_LEFT_OUT.contains(key)) {
                    members.put(key, written);
                }
            }
        }
        return members;
    }

    private static String key(String component) {
        return switch (component) {
            case "profiling" -> "profile";
            case "flags" -> "serve";
            case "slowNanos" -> "slow";
            case "above" -> "disturbed";
            case "slice" -> "interleaved";
            default -> component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        };
    }

    private static Object written(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case Boolean flag -> flag ? "true" : "";
            case Double share -> HostBound.text(share);
            case Long nanos -> nanos == 0 ? "" : nanos / 1000 + "us";
            case Duration time -> time.isZero() ? "" : time.toMillis() + "ms";
            case Scale scale -> scale == Scale.FULL ? "" : scale.key();
            case Niceness nice -> nice.isNone() ? "" : nice.text();
            case Server.Program program -> program == Server.Program.SERVE ? "" : program.key();
            case Dialect dialect -> dialect.key();
            case Objective objective -> objective.toString();
            case Record record -> members(record);
            case List<?> list -> list.stream().map(ExperimentText::written).toList();
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .collect(Collectors.toMap(
                                one -> one.getKey() instanceof Double rank ? Percentiles.name(rank) : one.getKey(),
                                Map.Entry::getValue,
                                (a, _) -> a,
                                LinkedHashMap::new));
            default -> value;
        };
    }

    // --- the text ---------------------------------------------------------------------------------------------------

    /// A mapping or a list of mappings has its members below it, one line each.
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
            case null, default -> { // plain words are unquoted; JSON's quotes are valid in YAML
                String text = String.valueOf(value);
                yield text.matches("[A-Za-z0-9][A-Za-z0-9._+-]*") ? text : Json.quote(text);
            }
        };
    }
}
