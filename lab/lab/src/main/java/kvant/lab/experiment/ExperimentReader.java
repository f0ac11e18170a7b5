package kvant.lab.experiment;

import static kvant.lab.result.ExperimentRecord.Question.USUAL_MARGIN;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.experiment.Experiment.Niceness;
import kvant.lab.experiment.Experiment.Profiling;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Phase.SettingException;
import kvant.lab.result.ExperimentRecord.Published;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.ExperimentRecord.Source;
import kvant.load.search.Objective;
import kvant.text.Units;
import kvant.text.UserException;
import kvant.text.YamlMap;
import org.jspecify.annotations.Nullable;

/// Reads an experiment in the format of docs/experiments.md. An unknown, missing or contradictory setting is an error
/// with its line.
public final class ExperimentReader {

    private static final List<String> KEYS = words("""
            letter name title title-ru description description-ru source objective repeats disturbed again interleaved
            variants vary load phases profile questions published short quick decide scale at-most nice awake realtime
            """);

    /// Without `repeats`: for a run until decided its questions determine the number.
    private static final List<String> DECIDE_KEYS = words("""
            variants phases load phase profile disturbed again interleaved at-most nice awake realtime
            """);

    private static final List<String> SCALE_KEYS =
            Stream.concat(Stream.of("repeats"), DECIDE_KEYS.stream()).toList();

    private static final List<String> PROFILE_KEYS = words("events threads duration slow variants phases");
    private static final List<String> QUESTION_KEYS = words("id text text-ru compare phase metric margin");
    private static final List<String> PUBLISHED_KEYS = words("variant phase percentiles note note-ru");
    private static final List<String> SOURCE_KEYS = words("title title-ru course year stage stage-ru links");

    private static final int LONGEST_NAME = 40;

    private final YamlMap root;
    private final Path folder;
    private final Scale scale;
    private final Optional<YamlMap> block; // block of the scale, if there is one

    private ExperimentReader(YamlMap root, Path folder, Scale scale, Optional<YamlMap> block) {
        this.root = root;
        this.folder = folder;
        this.scale = scale;
        this.block = block;
    }

    /// @param label name of the file for errors
    /// @param folder working folder of commands for other servers, and folder of workload files
    /// @throws kvant.text.UserException naming file and line
    static Experiment read(String label, InputStream in, Path folder, Scale scale) throws IOException {
        YamlMap root = YamlMap.read(label, in, KEYS);
        Map<Scale, Experiment> read = new EnumMap<>(Scale.class); // all of them, so that errors are found
        for (Scale one : Scale.values()) {
            List<String> keys = one == Scale.DECIDE ? DECIDE_KEYS : SCALE_KEYS;
            Optional<YamlMap> block = one == Scale.FULL ? Optional.empty() : root.map(one.key(), keys);
            if (one == Scale.FULL || block.isPresent()) {
                read.put(one, new ExperimentReader(root, folder, one, block).chosen());
            }
        }
        Experiment wanted = read.get(scale);
        if (wanted == null) {
            throw root.wrong("it has no '" + scale.key() + "' block");
        }
        return wanted;
    }

    static List<String> words(String text) {
        return List.of(text.strip().split("\\s+"));
    }

    /// The experiment as selected by the block of the scale.
    private Experiment chosen() {
        Experiment all = all();
        if (block.isEmpty()) {
            return all;
        }
        List<String> variants = known(block.get(), "variants", names(all.variants(), Variant::name));
        List<String> phases = known(block.get(), "phases", names(all.phases(), Phase::name));
        Experiment chosen = all.only(variants, phases);
        return switch (scale) {
            case FULL, SHORT -> chosen;
            case QUICK -> chosen.asked();
            case DECIDE -> chosen.asked().withRepeats(Step.ROUNDS);
        };
    }

    private Experiment all() {
        List<Variant> variants = new VariantReader(root, folder).read();
        List<Phase> phases = phases();
        refuseTwins("variants", variants, Variant::name);
        refuseTwins("phases", phases, Phase::name);
        refuseUnknownLoads(variants, phases);
        boolean realtime = setting("realtime", ExperimentReader::flag, false);
        if (realtime && phases.stream().anyMatch(phase -> phase.clients().spin().isPositive())) {
            throw root.wrong("realtime", "with 'spin' only the generator would run");
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
                setting("repeats", ExperimentReader::repeats, 3),
                variants,
                phases,
                questions(variants, phases),
                profiling(names(variants, Variant::name), names(phases, Phase::name)),
                published(names(variants, Variant::name), names(phases, Phase::name)),
                root.value("scale", Scale::parse).orElse(scale),
                disturbed(),
                setting("at-most", ExperimentReader::someTime, Experiment.USUAL_AT_MOST),
                setting("nice", Niceness::parse, Niceness.NONE),
                setting("awake", ExperimentReader::flag, false),
                realtime);
        if (experiment.plan().size() > Experiment.MOST_STEPS) {
            throw root.wrong("repeats", experiment.plan().size() + " steps: at most " + Experiment.MOST_STEPS);
        }
        refuseTwins("names of variants and phases, joined,", experiment.plan(), Step::id);
        return experiment;
    }

    /// A setting from the block of the scale, otherwise from the top level, otherwise the default.
    private <T> T setting(String key, Function<String, T> parser, T usual) {
        return block.flatMap(own -> own.value(key, parser))
                .or(() -> root.value(key, parser))
                .orElse(usual);
    }

    private HostBound disturbed() {
        HostBound usual = scale == Scale.DECIDE ? HostBound.DECIDING : HostBound.USUAL;
        return new HostBound(
                setting("disturbed", HostBound::parse, usual.above()),
                setting("again", HostBound::parseAgain, usual.again()),
                setting("interleaved", HostBound::parseSlice, usual.slice()));
    }

    private static Duration someTime(String text) {
        Duration time = Units.duration(text);
        if (time.isZero()) {
            throw new IllegalArgumentException("'" + text + "' is no time, and a run takes some");
        }
        return time;
    }

    /// @throws IllegalArgumentException with a readable one-line reason
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

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is not true or false");
        };
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

    /// Settings of a phase come from four blocks, and later ones take precedence: `load`, the phase itself, and in the
    /// block of a scale `load` and `phase.NAME`.
    private List<Phase> phases() {
        List<String> keys =
                Stream.concat(Phase.KEYS.stream(), Stream.of("name")).toList();
        Optional<YamlMap> ofAll = root.map("load", Phase.KEYS);
        Optional<YamlMap> scaled = block.flatMap(yaml -> yaml.map("load", Phase.KEYS));
        Optional<YamlMap> scaledPhases = block.flatMap(yaml -> yaml.map("phase", null));
        List<Phase> phases = new ArrayList<>();
        for (YamlMap yaml : root.maps("phases", keys)) {
            String name = name(yaml, "name", yaml.needed("name"));
            Optional<YamlMap> own = scaledPhases.flatMap(all -> all.map(name, Phase.KEYS));
            phases.add(phase(
                    name,
                    yaml,
                    Stream.of(ofAll, Optional.of(yaml), scaled, own)
                            .flatMap(Optional::stream)
                            .toList()));
        }
        if (phases.isEmpty()) {
            throw root.wrong("phases", "there are no phases");
        }
        if (phases.size() > Experiment.MOST_PHASES) {
            throw root.wrong("phases", phases.size() + " phases: at most " + Experiment.MOST_PHASES);
        }
        scaledPhases.ifPresent(own -> own.keys().forEach(name -> {
            if (phases.stream().noneMatch(phase -> phase.name().equals(name))) {
                throw own.wrong(name, "unknown phase '" + name + "'");
            }
        }));
        return phases;
    }

    private Phase phase(String name, YamlMap yaml, List<YamlMap> blocks) {
        Map<String, String> settings = new LinkedHashMap<>();
        Map<String, String> places = new LinkedHashMap<>();
        for (YamlMap one : blocks) {
            one.keys().stream().filter(key -> !key.equals("name")).forEach(key -> {
                String text = one.text(key, "");
                boolean file = key.equals("workload") && Phase.isFile(text);
                settings.put(key, file ? folder.resolve(text).normalize().toString() : text);
                places.put(key, one.place(key));
            });
        }
        try {
            return Phase.of(name, settings);
        } catch (SettingException e) {
            String place = places.getOrDefault(e.key(), yaml.place());
            throw new UserException(place + ": phase '" + name + "', " + e.explanation(), e);
        }
    }

    private void refuseUnknownLoads(List<Variant> variants, List<Phase> phases) {
        List<String> loads = names(phases, Phase::name);
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
        List<Question> questions = new ArrayList<>();
        for (YamlMap yaml : root.maps("questions", QUESTION_KEYS)) {
            List<String> compare = known(yaml, "compare", names(variants, Variant::name));
            if (compare.size() < 2) {
                throw yaml.wrong("compare", "'compare' needs two variants or more");
            }
            String phase = yaml.text("phase", "");
            refuseUnknown(yaml, "phase", yaml.has("phase") ? List.of(phase) : List.of(), names(phases, Phase::name));
            for (Variant variant : variants) {
                if (compare.contains(variant.name()) && !phase.isEmpty() && !variant.gets(phase)) {
                    throw yaml.wrong("compare", "'" + variant.name() + "' does not get the phase '" + phase + "'");
                }
            }
            questions.add(new Question(
                    name(yaml, "id", yaml.needed("id")),
                    yaml.needed("text"),
                    yaml.text("text-ru", ""),
                    compare,
                    phase,
                    yaml.value("metric", Question::metric).orElse("p99"),
                    yaml.value("margin", Question::margin).orElse(USUAL_MARGIN)));
        }
        refuseTwins("questions", questions, Question::id);
        if (questions.size() > Experiment.MOST_QUESTIONS) {
            throw root.wrong("questions", "more than " + Experiment.MOST_QUESTIONS + " questions");
        }
        return questions;
    }

    private Profiling profiling(List<String> variants, List<String> phases) {
        Optional<YamlMap> base = root.map("profile", PROFILE_KEYS);
        Optional<YamlMap> own = block.flatMap(yaml -> yaml.map("profile", PROFILE_KEYS));
        Profiling profiling = Profiling.NONE;
        for (YamlMap yaml : Stream.concat(base.stream(), own.stream()).toList()) {
            List<String> events = known(yaml, "events", Profiling.EVENTS);
            List<String> ofVariants = known(yaml, "variants", variants);
            List<String> ofPhases = known(yaml, "phases", phases);
            profiling = new Profiling(
                    yaml.has("events") ? events : profiling.events(),
                    yaml.value("threads", ExperimentReader::flag).orElse(profiling.threads()),
                    yaml.value("duration", Units::duration).orElse(profiling.duration()),
                    yaml.value("slow", Units::duration).map(Duration::toNanos).orElse(profiling.slowNanos()),
                    yaml.has("variants") ? ofVariants : profiling.variants(),
                    yaml.has("phases") ? ofPhases : profiling.phases());
        }
        return profiling;
    }

    private List<Published> published(List<String> variants, List<String> phases) {
        List<Published> published = new ArrayList<>();
        for (YamlMap yaml : root.maps("published", PUBLISHED_KEYS)) {
            String variant = yaml.needed("variant");
            String phase = yaml.needed("phase");
            refuseUnknown(yaml, "variant", List.of(variant), variants);
            refuseUnknown(yaml, "phase", List.of(phase), phases);
            Map<Double, Double> millis = new TreeMap<>();
            yaml.map("percentiles", null)
                    .ifPresent(own -> own.keys().forEach(key -> {
                        if (!key.matches("\\d{1,2}(\\.\\d{1,4})?|100")) {
                            throw own.wrong(key, "'" + key + "' is not a percentile such as 99.9");
                        }
                        millis.put(
                                Double.valueOf(key),
                                own.value(key, Double::valueOf).orElseThrow());
                    }));
            published.add(new Published(variant, phase, millis, yaml.text("note", ""), yaml.text("note-ru", "")));
        }
        return published;
    }

    private static <T> List<String> names(List<T> all, Function<T, String> naming) {
        return all.stream().map(naming).toList();
    }

    private <T> void refuseTwins(String key, List<T> list, Function<T, String> naming) {
        Set<String> seen = new HashSet<>();
        for (String name : names(list, naming)) {
            if (!seen.add(name)) {
                throw root.wrong(key, "two of the " + key + " are called '" + name + "'");
            }
        }
    }

    /// The values of a key, each of which must be one of these.
    private static List<String> known(YamlMap yaml, String key, List<String> those) {
        List<String> given = yaml.texts(key);
        refuseUnknown(yaml, key, given, those);
        return given;
    }

    private static void refuseUnknown(YamlMap yaml, String key, List<String> given, List<String> known) {
        for (String one : given) {
            if (!known.contains(one)) {
                throw yaml.wrong(key, "'" + key + "': '" + one + "' is not one of " + String.join(", ", known));
            }
        }
    }

    /// A valid name, because it becomes part of file names.
    static String name(YamlMap yaml, String key, String text) {
        try {
            return name(text);
        } catch (IllegalArgumentException e) {
            throw yaml.wrong(key, String.valueOf(e.getMessage()));
        }
    }

    /// @throws IllegalArgumentException with a readable one-line reason
    static String name(String text) {
        if (!text.matches("[a-z0-9][a-z0-9.-]*") || text.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("'" + text + "' is not a name: at most " + LONGEST_NAME
                    + " small letters, digits, dots and dashes");
        }
        return text;
    }
}
