package kvant.lab.experiment;

import static kvant.lab.result.ExperimentRecord.Question.USUAL_MARGIN;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import kvant.lab.result.ExperimentRecord.Source;
import kvant.load.search.Objective;
import kvant.text.Units;
import kvant.text.YamlMap;
import org.jspecify.annotations.Nullable;

/// Reads an experiment as docs/experiments.md describes it. What is unknown, missing or contradicts
/// itself is an error with its line.
public final class ExperimentReader {

    private static final List<String> KEYS = List.of(
            "letter",
            "name",
            "title",
            "title-ru",
            "description",
            "description-ru",
            "source",
            "objective",
            "repeats",
            "disturbed",
            "again",
            "interleaved",
            "variants",
            "vary",
            "load",
            "phases",
            "profile",
            "questions",
            "published",
            "short",
            "quick",
            "decide",
            "scale",
            "at-most",
            "nice",
            "awake",
            "realtime");

    private static final List<String> SCALE_KEYS = List.of(
            "repeats",
            "variants",
            "phases",
            "load",
            "phase",
            "profile",
            "disturbed",
            "again",
            "interleaved",
            "at-most",
            "nice",
            "awake",
            "realtime");

    /// How many repeats there are follows from what they say.
    private static final List<String> DECIDE_KEYS =
            SCALE_KEYS.stream().filter(key -> !key.equals("repeats")).toList();

    private static final List<String> PROFILE_KEYS =
            List.of("events", "threads", "duration", "slow", "variants", "phases");

    private static final List<String> QUESTION_KEYS =
            List.of("id", "text", "text-ru", "compare", "phase", "metric", "margin");

    private static final List<String> PUBLISHED_KEYS = List.of("variant", "phase", "percentiles", "note", "note-ru");

    private static final List<String> SOURCE_KEYS =
            List.of("title", "title-ru", "course", "year", "stage", "stage-ru", "links");

    private static final int LONGEST_NAME = 40;

    private final YamlMap root;
    private final Path folder;

    private ExperimentReader(YamlMap root, Path folder) {
        this.root = root;
        this.folder = folder;
    }

    /// @param label what errors call the file
    /// @param folder where commands of other servers are started, and files of workloads are
    /// @throws kvant.text.UserException naming file and line
    public static Experiment read(String label, String text, Path folder, Scale scale) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (ByteArrayInputStream in = new ByteArrayInputStream(bytes)) {
            ExperimentReader reader = new ExperimentReader(YamlMap.read(label, in, KEYS), folder);
            Map<Scale, Experiment> read = new EnumMap<>(Scale.class); // all of them, so that errors are found
            read.put(Scale.FULL, reader.read(Scale.FULL, Optional.empty()));
            for (Scale one : List.of(Scale.SHORT, Scale.QUICK, Scale.DECIDE)) {
                List<String> keys = one == Scale.DECIDE ? DECIDE_KEYS : SCALE_KEYS;
                reader.root.map(one.key(), keys).ifPresent(own -> read.put(one, reader.scaled(one, own)));
            }
            Experiment wanted = read.get(scale);
            if (wanted == null) {
                throw reader.root.wrong("it has no '" + scale.key() + "' block");
            }
            return wanted;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is no input but memory
        }
    }

    /// @param own the block of the scale, where it has one
    private Experiment read(Scale scale, Optional<YamlMap> own) {
        List<Variant> variants = new VariantReader(root, folder).read();
        List<Phase> phases = new PhaseReader(root, folder, own).read();
        refuseTwins("variants", variants, Variant::name);
        refuseTwins("phases", phases, Phase::name);
        refuseUnknownLoads(variants, phases);
        boolean realtime = setting(own, "realtime", ExperimentReader::flag, false);
        if (realtime && phases.stream().anyMatch(phase -> phase.clients().spin().isPositive())) {
            throw root.wrong("realtime", "with 'spin' nobody but the generator would run");
        }
        Experiment experiment = new Experiment(
                root.value("letter", ExperimentReader::letter).orElse(""),
                name(root, "name", root.needed("name")),
                root.needed("title"),
                root.text("title-ru", ""),
                root.text("description", "").strip(),
                root.text("description-ru", "").strip(),
                source(),
                root.value("objective", Objective::parse).orElse(null),
                repeats(own),
                variants,
                phases,
                questions(variants, phases),
                profiling(own, variants, phases),
                published(variants, phases),
                root.value("scale", Scale::parse).orElse(scale),
                disturbed(scale, own),
                setting(own, "at-most", ExperimentReader::someTime, Experiment.USUAL_AT_MOST),
                setting(own, "nice", Niceness::parse, Niceness.NONE),
                setting(own, "awake", ExperimentReader::flag, false),
                realtime);
        if (experiment.plan().size() > Experiment.MOST_STEPS) {
            throw root.wrong("repeats", experiment.plan().size() + " steps: at most " + Experiment.MOST_STEPS);
        }
        refuseTwins("names of variants and phases, joined,", experiment.plan(), Step::id);
        return experiment;
    }

    private Experiment scaled(Scale scale, YamlMap own) {
        Experiment all = read(scale, Optional.of(own));
        for (String key : List.of("variants", "phases")) {
            List<String> known = key.equals("variants")
                    ? all.variants().stream().map(Variant::name).toList()
                    : all.phases().stream().map(Phase::name).toList();
            refuseUnknown(own, key, own.texts(key), known);
        }
        Experiment chosen = all.only(own.texts("variants"), own.texts("phases"));
        return switch (scale) {
            case FULL, SHORT -> chosen;
            case QUICK -> chosen.asked();
            case DECIDE -> chosen.asked().withRepeats(Step.ROUNDS);
        };
    }

    /// Of the block of the scale, else of the whole, else what is usual.
    private <T> T setting(Optional<YamlMap> scaled, String key, Function<String, T> parser, T usual) {
        return scaled.flatMap(own -> own.value(key, parser))
                .or(() -> root.value(key, parser))
                .orElse(usual);
    }

    private static Duration someTime(String text) {
        Duration time = Units.duration(text);
        if (time.isZero()) {
            throw new IllegalArgumentException("'" + text + "' is no time, and a run takes some");
        }
        return time;
    }

    private HostBound disturbed(Scale scale, Optional<YamlMap> scaled) {
        HostBound usual = scale == Scale.DECIDE ? HostBound.DECIDING : HostBound.USUAL;
        Optional<Double> above = scaled.flatMap(yaml -> yaml.value("disturbed", HostBound::parse));
        Optional<Integer> again = scaled.flatMap(yaml -> yaml.value("again", HostBound::parseAgain));
        Optional<Duration> slice = scaled.flatMap(yaml -> yaml.value("interleaved", HostBound::parseSlice));
        return new HostBound(
                above.or(() -> root.value("disturbed", HostBound::parse)).orElse(usual.above()),
                again.or(() -> root.value("again", HostBound::parseAgain)).orElse(usual.again()),
                slice.or(() -> root.value("interleaved", HostBound::parseSlice)).orElse(usual.slice()));
    }

    private @Nullable Source source() {
        return root.map("source", SOURCE_KEYS)
                .map(yaml -> new Source(
                        yaml.needed("title"),
                        yaml.text("title-ru", ""),
                        yaml.text("course", ""),
                        yaml.text("year", ""),
                        yaml.text("stage", ""),
                        yaml.text("stage-ru", ""),
                        yaml.texts("links")))
                .orElse(null);
    }

    private int repeats(Optional<YamlMap> scaled) {
        Optional<Integer> own = scaled.flatMap(yaml -> yaml.value("repeats", ExperimentReader::repeats));
        return own.or(() -> root.value("repeats", ExperimentReader::repeats)).orElse(3);
    }

    /// @throws IllegalArgumentException with a line for a person
    public static int repeats(String text) {
        long repeats = Units.count(text);
        if (repeats < 1 || repeats > Experiment.MOST_REPEATS) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 1 to " + Experiment.MOST_REPEATS);
        }
        return (int) repeats;
    }

    private static String letter(String text) {
        if (!text.matches("[A-Z]")) {
            throw new IllegalArgumentException("'" + text + "' is not a letter from A to Z");
        }
        return text;
    }

    private void refuseUnknownLoads(List<Variant> variants, List<Phase> phases) {
        List<String> loads = phases.stream().map(Phase::name).toList();
        for (Variant variant : variants) {
            refuseUnknown(root, "variants", variant.phases(), loads);
            for (Phase phase : phases) {
                boolean scans =
                        variant.gets(phase.name()) && phase.workload().mix().scan() > 0;
                if (scans && !variant.server().dialect().hasRanges()) {
                    throw root.wrong(
                            "variants",
                            "'" + variant.name() + "' has no ranges of keys for the phase '" + phase.name()
                                    + "': leave it out of the 'phases' of the variant");
                }
            }
        }
    }

    private List<Question> questions(List<Variant> variants, List<Phase> phases) {
        List<String> names = variants.stream().map(Variant::name).toList();
        List<String> loads = phases.stream().map(Phase::name).toList();
        List<Question> questions = new ArrayList<>();
        for (YamlMap yaml : root.maps("questions", QUESTION_KEYS)) {
            List<String> compare = yaml.texts("compare");
            refuseUnknown(yaml, "compare", compare, names);
            if (compare.size() < 2) {
                throw yaml.wrong("compare", "'compare' needs two variants or more");
            }
            refuseUnknown(yaml, "phase", yaml.has("phase") ? List.of(yaml.text("phase", "")) : List.of(), loads);
            for (Variant variant : variants) {
                String phase = yaml.text("phase", "");
                if (compare.contains(variant.name()) && !phase.isEmpty() && !variant.gets(phase)) {
                    throw yaml.wrong("compare", "'" + variant.name() + "' does not get the phase '" + phase + "'");
                }
            }
            questions.add(new Question(
                    name(yaml, "id", yaml.needed("id")),
                    yaml.needed("text"),
                    yaml.text("text-ru", ""),
                    compare,
                    yaml.text("phase", ""),
                    yaml.value("metric", Question::metric).orElse("p99"),
                    yaml.value("margin", Question::margin).orElse(USUAL_MARGIN)));
        }
        refuseTwins("questions", questions, Question::id);
        if (questions.size() > Experiment.MOST_QUESTIONS) {
            throw root.wrong("questions", "more than " + Experiment.MOST_QUESTIONS + " questions");
        }
        return questions;
    }

    private Profiling profiling(Optional<YamlMap> scaled, List<Variant> variants, List<Phase> phases) {
        Optional<YamlMap> base = root.map("profile", PROFILE_KEYS);
        Optional<YamlMap> own = scaled.flatMap(yaml -> yaml.map("profile", PROFILE_KEYS));
        Profiling profiling = Profiling.NONE;
        for (YamlMap yaml : Stream.concat(base.stream(), own.stream()).toList()) {
            refuseUnknown(yaml, "events", yaml.texts("events"), Profiling.EVENTS);
            refuseUnknown(
                    yaml,
                    "variants",
                    yaml.texts("variants"),
                    variants.stream().map(Variant::name).toList());
            refuseUnknown(
                    yaml,
                    "phases",
                    yaml.texts("phases"),
                    phases.stream().map(Phase::name).toList());
            profiling = new Profiling(
                    yaml.has("events") ? yaml.texts("events") : profiling.events(),
                    yaml.value("threads", ExperimentReader::flag).orElse(profiling.threads()),
                    yaml.value("duration", Units::duration).orElse(profiling.duration()),
                    yaml.value("slow", Units::duration).map(Duration::toNanos).orElse(profiling.slowNanos()),
                    yaml.has("variants") ? yaml.texts("variants") : profiling.variants(),
                    yaml.has("phases") ? yaml.texts("phases") : profiling.phases());
        }
        return profiling;
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is not true or false");
        };
    }

    private List<Published> published(List<Variant> variants, List<Phase> phases) {
        List<Published> published = new ArrayList<>();
        for (YamlMap yaml : root.maps("published", PUBLISHED_KEYS)) {
            String variant = yaml.needed("variant");
            String phase = yaml.needed("phase");
            refuseUnknown(
                    yaml,
                    "variant",
                    List.of(variant),
                    variants.stream().map(Variant::name).toList());
            refuseUnknown(
                    yaml,
                    "phase",
                    List.of(phase),
                    phases.stream().map(Phase::name).toList());
            Map<Double, Double> millis = new TreeMap<>();
            yaml.map("percentiles", null).ifPresent(own -> {
                for (String key : own.keys()) {
                    if (!key.matches("\\d{1,2}(\\.\\d{1,4})?|100")) {
                        throw own.wrong(key, "'" + key + "' is not a percentile such as 99.9");
                    }
                    millis.put(
                            Double.valueOf(key), own.value(key, Double::valueOf).orElseThrow());
                }
            });
            published.add(new Published(variant, phase, millis, yaml.text("note", ""), yaml.text("note-ru", "")));
        }
        return published;
    }

    private <T> void refuseTwins(String key, List<T> list, Function<T, String> naming) {
        Set<String> seen = new HashSet<>();
        for (T one : list) {
            if (!seen.add(naming.apply(one))) {
                throw root.wrong(key, "two of the " + key + " are called '" + naming.apply(one) + "'");
            }
        }
    }

    private static void refuseUnknown(YamlMap yaml, String key, List<String> given, Collection<String> known) {
        for (String one : given) {
            if (!known.contains(one)) {
                throw yaml.wrong(key, "'" + key + "': there is no '" + one + "', only " + String.join(", ", known));
            }
        }
    }

    /// A name becomes part of the names of files.
    static String name(YamlMap yaml, String key, String text) {
        try {
            return name(text);
        } catch (IllegalArgumentException e) {
            throw yaml.wrong(key, String.valueOf(e.getMessage()));
        }
    }

    /// @throws IllegalArgumentException with a line for a person
    static String name(String text) {
        if (!text.matches("[a-z0-9][a-z0-9.-]*") || text.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("'" + text + "' is not a name: at most " + LONGEST_NAME
                    + " small letters, digits, dots and dashes");
        }
        return text;
    }
}
