package kvant.lab.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import kvant.lab.result.ExperimentRecord.Published;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.ExperimentRecord.Source;
import kvant.load.search.Objective;
import kvant.text.Units;
import org.jspecify.annotations.Nullable;

/// An experiment, with all variations and defaults of its file spelled out.
///
/// @param letter of those that come with Kvant, or empty
/// @param source publication of the experiment, or null
/// @param objective latency objective
/// @param repeats number of repeats of each phase for each variant
/// @param scale size of the experiment
/// @param disturbed handling of steps during which processor time was taken away from outside the run
/// @param atMost default time limit of a run until decided
/// @param nice reduced priority of the servers relative to the generator
/// @param awake whether the processors are kept from sleeping
/// @param realtime whether the generator has realtime priority
public record Experiment(
        String letter,
        String name,
        String title,
        String titleRu,
        String description,
        String descriptionRu,
        @Nullable Source source,
        @Nullable Objective objective,
        int repeats,
        List<Variant> variants,
        List<Phase> phases,
        List<Question> questions,
        Profiling profiling,
        List<Published> published,
        Scale scale,
        HostBound disturbed,
        Duration atMost,
        Niceness nice,
        boolean awake,
        boolean realtime) {

    /// Default time limit of a run until decided.
    public static final Duration USUAL_AT_MOST = Duration.ofHours(2);

    static final int MOST_VARIANTS = 64;
    static final int MOST_PHASES = 32;
    public static final int MOST_REPEATS = 200;
    static final int MOST_QUESTIONS = 100;
    public static final int MOST_STEPS = 2000;

    /// Estimated overhead of a step: start and end of a process, without its own warm-up, and writing of results.
    private static final Duration AROUND_A_STEP = Duration.ofMillis(2500);

    /// Estimated overhead of a slice: connections, a short warm-up, and settling of the other servers.
    private static final Duration AROUND_A_SLICE = Duration.ofMillis(400);

    public Experiment {
        variants = List.copyOf(variants);
        phases = List.copyOf(phases);
        questions = List.copyOf(questions);
        published = List.copyOf(published);
    }

    /// All steps in order: blocks first, then the profiled steps, because a profiler disturbs.
    public List<Step> plan() {
        List<Step> steps = new ArrayList<>();
        int blocks = (repeats + Step.ROUNDS - 1) / Step.ROUNDS;
        for (int block = 1; block <= blocks; block++) {
            steps.addAll(block(block));
        }
        steps.removeIf(step -> step.repeat() > repeats);
        for (Phase phase : phases) {
            variants.stream()
                    .filter(variant -> variant.gets(phase.name()) && profiling.covers(variant, phase))
                    .forEach(variant -> steps.add(new Step(
                            "p1-" + variant.name() + "-" + phase.name(), variant.name(), phase.name(), 1, true)));
        }
        return steps;
    }

    /// The maximum number of repeats of all variants and loads in a run.
    public int mostRepeats() {
        Experiment one = withRepeats(1);
        long profiled = one.plan().stream().filter(Step::profiled).count();
        long each = one.plan().size() - profiled;
        return (int) Math.min(MOST_REPEATS, (MOST_STEPS - profiled) / Math.max(1, each));
    }

    /// The steps of a block, which are two repeats. In each phase the variants run in order, and then in reverse
    /// order (A B C, C B A), so that steady changes of the machine affect each of them equally. Each block starts
    /// with the next variant.
    ///
    /// @param block from 1
    public List<Step> block(int block) {
        List<Step> steps = new ArrayList<>();
        List<Variant> order = new ArrayList<>(variants);
        Collections.rotate(order, 1 - block);
        for (Phase phase : phases) {
            List<Variant> those =
                    order.stream().filter(variant -> variant.gets(phase.name())).toList();
            those.forEach(variant -> steps.add(Step.measured(variant, phase, Step.ROUNDS * block - 1)));
            those.reversed().forEach(variant -> steps.add(Step.measured(variant, phase, Step.ROUNDS * block)));
        }
        return steps;
    }

    public Variant variant(String wanted) {
        return variants.stream()
                .filter(one -> one.name().equals(wanted))
                .findFirst()
                .orElseThrow();
    }

    public Phase phase(String wanted) {
        return phases.stream()
                .filter(one -> one.name().equals(wanted))
                .findFirst()
                .orElseThrow();
    }

    /// The load of a step; a profiled one may be shorter.
    public Phase phaseOf(Step step) {
        Phase phase = phase(step.phase());
        boolean own = step.profiled() && profiling.duration().isPositive();
        return own ? phase.with("duration", profiling.duration().toMillis() + "ms") : phase;
    }

    /// Estimated duration of a step.
    public Duration estimate(Step step) {
        Duration warming = variant(step.variant()).server().warmUp();
        Duration alone = phaseOf(step).estimate().plus(AROUND_A_STEP).plus(warming);
        if (!disturbed.isInterleaved() || step.profiled()) {
            return alone;
        }
        int turns = disturbed.turns(phaseOf(step).pace().duration());
        return alone.plus(AROUND_A_SLICE.multipliedBy(turns));
    }

    /// Estimated total duration.
    public Duration estimate() {
        return plan().stream().map(this::estimate).reduce(Duration.ZERO, Duration::plus);
    }

    /// Estimated duration for this number of blocks of each load, and the profiles.
    public Duration estimateOfBlocks(int blocks) {
        Experiment one = withRepeats(Step.ROUNDS);
        return one.plan().stream()
                .map(step -> estimate(step).multipliedBy(step.profiled() ? 1 : blocks))
                .reduce(Duration.ZERO, Duration::plus);
    }

    public Experiment withRepeats(int other) {
        return copy(other, variants, phases, questions, profiling, published, disturbed);
    }

    /// The same with another smallest relevant difference, in all questions except those about errors.
    public Experiment withMargin(double margin) {
        List<Question> others =
                questions.stream().map(one -> one.withMargin(margin)).toList();
        return copy(repeats, variants, phases, others, profiling, published, disturbed);
    }

    public Experiment withDisturbed(HostBound other) {
        return copy(repeats, variants, phases, questions, profiling, published, other);
    }

    public Experiment withoutProfiles() {
        return copy(repeats, variants, phases, questions, Profiling.NONE, published, disturbed);
    }

    /// The same with a change of each phase.
    public Experiment withPhases(UnaryOperator<Phase> change) {
        return with(variants, phases.stream().map(change).toList());
    }

    /// Only the given variants and phases, with their questions. A question compares its remaining variants with its
    /// first one, and is dropped without that one.
    ///
    /// @param variantNames empty for all
    /// @param phaseNames empty for all
    /// @throws IllegalArgumentException naming an unknown one
    public Experiment only(List<String> variantNames, List<String> phaseNames) {
        return with(
                chosen("variant", variants, Variant::name, variantNames),
                chosen("phase", phases, Phase::name, phaseNames));
    }

    /// Only the loads in which a question compares two variants; all loads if there is no question.
    Experiment asked() {
        Map<String, Set<String>> loads = new HashMap<>();
        for (Phase phase : phases) {
            List<String> getting = variants.stream()
                    .filter(one -> one.gets(phase.name()))
                    .map(Variant::name)
                    .toList();
            questions.stream()
                    .flatMap(question -> question.comparedIn(phase.name(), getting).stream())
                    .forEach(name ->
                            loads.computeIfAbsent(name, _ -> new HashSet<>()).add(phase.name()));
        }
        if (loads.isEmpty()) {
            return this;
        }
        List<Phase> otherPhases = phases.stream()
                .filter(phase -> loads.values().stream().anyMatch(own -> own.contains(phase.name())))
                .toList();
        List<String> all = otherPhases.stream().map(Phase::name).toList();
        List<Variant> otherVariants = new ArrayList<>();
        for (Variant variant : variants) {
            Set<String> own = loads.getOrDefault(variant.name(), Set.of());
            List<String> ordered = all.stream().filter(own::contains).toList();
            if (!ordered.isEmpty()) {
                otherVariants.add(variant.with(ordered.equals(all) ? List.of() : ordered));
            }
        }
        return with(otherVariants, otherPhases);
    }

    private static <T> List<T> chosen(String kind, List<T> all, Function<T, String> naming, List<String> names) {
        List<String> known = all.stream().map(naming).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "unknown " + kind + " '" + name + "'; there are " + String.join(", ", known));
            }
        }
        return names.isEmpty()
                ? all
                : names.stream()
                        .distinct()
                        .map(name -> all.get(known.indexOf(name)))
                        .toList();
    }

    private Experiment with(List<Variant> wantedVariants, List<Phase> otherPhases) {
        List<String> left = otherPhases.stream().map(Phase::name).toList();
        List<Variant> otherVariants = wantedVariants.stream()
                .filter(one -> left.stream().anyMatch(one::gets))
                .map(one -> one.among(left))
                .toList();
        List<String> names = otherVariants.stream().map(Variant::name).toList();
        List<String> loads = Stream.concat(otherPhases.stream().map(Phase::name), Stream.of(""))
                .toList();
        List<Question> otherQuestions = questions.stream()
                .filter(one -> loads.contains(one.phase()))
                .map(one -> one.among(names))
                .filter(one -> one.compare().size() > 1)
                .toList();
        List<Published> otherPublished = published.stream()
                .filter(one -> names.contains(one.variant()) && loads.contains(one.phase()))
                .toList();
        return copy(
                repeats,
                otherVariants,
                otherPhases,
                otherQuestions,
                profiling.only(names, loads),
                otherPublished,
                disturbed);
    }

    /// A copy, except for the given components.
    private Experiment copy(
            int otherRepeats,
            List<Variant> otherVariants,
            List<Phase> otherPhases,
            List<Question> otherQuestions,
            Profiling otherProfiling,
            List<Published> otherPublished,
            HostBound otherDisturbed) {
        return new Experiment(
                letter,
                name,
                title,
                titleRu,
                description,
                descriptionRu,
                source,
                objective,
                otherRepeats,
                otherVariants,
                otherPhases,
                otherQuestions,
                otherProfiling,
                otherPublished,
                scale,
                otherDisturbed,
                atMost,
                nice,
                awake,
                realtime);
    }

    /// The priority of the servers below the generator, when both want a processor.
    ///
    /// A number is a nice value as in `nice(1)`: the higher it is, the smaller the share of the processors. A
    /// process that wakes up may still wait for the end of another's time slice, about a millisecond
    /// (`sched(7)`). With the policy `SCHED_IDLE` a server has no time slice against other processes: they run
    /// immediately.
    ///
    /// @param level 0 for ordinary priority, 1 to 19, or that of [#IDLE]
    public record Niceness(int level) {

        public static final Niceness NONE = new Niceness(0);

        /// `SCHED_IDLE`, by `chrt(1)`.
        public static final Niceness IDLE = new Niceness(20);

        private static final String IDLE_TEXT = "idle";

        /// @throws IllegalArgumentException with a readable reason
        static Niceness parse(String text) {
            if (text.equals(IDLE_TEXT)) {
                return IDLE;
            }
            if (!text.matches("1?\\d")) {
                throw new IllegalArgumentException("'" + text + "' is neither a number from 0 to 19 nor 'idle'");
            }
            return new Niceness(Integer.parseInt(text));
        }

        public boolean isNone() {
            return level == 0;
        }

        /// The value in an experiment file.
        public String text() {
            return equals(IDLE) ? IDLE_TEXT : Integer.toString(level);
        }

        /// The command line that starts a command with this priority.
        public List<String> of(List<String> command) {
            List<String> words = new ArrayList<>();
            if (equals(IDLE)) {
                words.addAll(List.of("chrt", "-i", "0"));
            } else if (!isNone()) {
                words.addAll(List.of("nice", "-n", text()));
            }
            words.addAll(command);
            return words;
        }
    }

    /// The profiling of an experiment, in separate steps after the measured ones.
    ///
    /// @param events of `cpu`, `alloc`, `lock`, `wall`; empty for no profiles
    /// @param threads whether stacks are separated by thread
    /// @param duration of the load under the profiler; zero for that of the phase
    /// @param slowNanos requests that took longer get a separate flame graph; 0 for none
    /// @param variants to profile; empty for all
    /// @param phases to profile; empty for all
    public record Profiling(
            List<String> events,
            boolean threads,
            Duration duration,
            long slowNanos,
            List<String> variants,
            List<String> phases) {

        public static final List<String> EVENTS = List.of("cpu", "alloc", "lock", "wall");

        static final Profiling NONE = new Profiling(List.of(), false, Duration.ZERO, 0, List.of(), List.of());

        public Profiling {
            events = List.copyOf(events);
            variants = List.copyOf(variants);
            phases = List.copyOf(phases);
        }

        /// The same for only these variants and phases.
        Profiling only(List<String> variantNames, List<String> phaseNames) {
            List<String> ownVariants =
                    variants.stream().filter(variantNames::contains).toList();
            List<String> ownPhases =
                    phases.stream().filter(phaseNames::contains).toList();
            boolean nothing = ownVariants.isEmpty() && !variants.isEmpty() || ownPhases.isEmpty() && !phases.isEmpty();
            return nothing ? NONE : new Profiling(events, threads, duration, slowNanos, ownVariants, ownPhases);
        }

        public boolean isWanted() {
            return !events.isEmpty();
        }

        public boolean covers(Variant variant, Phase phase) {
            return isWanted()
                    && (variants.isEmpty() || variants.contains(variant.name()))
                    && (phases.isEmpty() || phases.contains(phase.name()));
        }
    }

    /// The handling of steps during which processor time was taken away from outside the run. It is fixed
    /// before the run and recorded with it, because a rule chosen afterwards would bias the result. It depends
    /// on the host alone.
    ///
    /// A disturbed step is measured again, so that both sides of a comparison run on a calm host. If it is
    /// still disturbed, the rule that excludes blocks of rounds from verdicts applies.
    ///
    /// @param above share of the processors that may be taken away; NaN if no step counts as disturbed
    /// @param again maximum number of repetitions of a disturbed step, or of a disturbed turn
    /// @param slice duration of a variant in each turn of an interleaved round; zero for rounds that are not
    ///     interleaved
    public record HostBound(double above, int again, Duration slice) {

        /// The default.
        public static final HostBound USUAL = new HostBound(0.1, 0);

        /// For short steps, in which a brief disturbance is a large part.
        static final HostBound DECIDING = new HostBound(0.05, 6, Duration.ofSeconds(1));

        public static final int MOST_AGAIN = 20;

        private static final String OFF = "off";

        /// Shorter times are below the resolution of the system's statistics.
        private static final Duration SHORTEST_SLICE = Duration.ofMillis(200);

        private static final Duration LONGEST_SLICE = Duration.ofMinutes(1);

        /// For rounds that are not interleaved.
        public HostBound(double above, int again) {
            this(above, again, Duration.ZERO);
        }

        public boolean isInterleaved() {
            return slice.isPositive();
        }

        /// The number of turns for the measured time: equally many in both orders of the variants.
        public int turns(Duration measured) {
            long both = 2 * slice.toNanos();
            return (int) (2 * Math.max(1, (measured.toNanos() + both - 1) / both));
        }

        /// Parses a share such as `10%`, or `off`.
        ///
        /// @throws IllegalArgumentException with a readable one-line reason
        public static double parse(String text) {
            if (text.equals(OFF)) {
                return Double.NaN;
            }
            try {
                return Question.margin(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("'" + text + "' is neither a share from 1% to 100% nor 'off'", e);
            }
        }

        /// The inverse of [#parse].
        public static String text(double bound) {
            return Double.isNaN(bound) ? OFF : Question.margin(bound);
        }

        /// Parses a duration such as `1s`, or `off`.
        ///
        /// @throws IllegalArgumentException with a readable one-line reason
        public static Duration parseSlice(String text) {
            Duration slice = text.equals(OFF) ? Duration.ZERO : Units.duration(text);
            boolean known = slice.compareTo(SHORTEST_SLICE) >= 0 && slice.compareTo(LONGEST_SLICE) <= 0;
            if (!known && !text.equals(OFF)) {
                throw new IllegalArgumentException("'" + text + "' is neither a time from 200ms to 1m nor 'off'");
            }
            return slice;
        }

        /// @throws IllegalArgumentException with a readable one-line reason
        public static int parseAgain(String text) {
            if (!text.matches("\\d{1,2}") || Integer.parseInt(text) > MOST_AGAIN) {
                throw new IllegalArgumentException("'" + text + "' is not a number from 0 to " + MOST_AGAIN);
            }
            return Integer.parseInt(text);
        }
    }

    /// The size of an experiment's loads.
    public enum Scale {
        /// As in the file; published tests have their published size.
        FULL,
        /// Sufficient for the questions; all shipped experiments take about an hour.
        SHORT,
        /// A few minutes on a laptop.
        QUICK,
        /// Only the loads of the questions, in the shortest steps that their figures allow; run until decided.
        DECIDE;

        /// The key of its block in a file, and of its option.
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// @throws IllegalArgumentException with a readable one-line reason
        static Scale parse(String text) {
            return Arrays.stream(values())
                    .filter(one -> one.key().equals(text))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalArgumentException("'" + text + "' is not full, short, quick or decide"));
        }
    }
}
