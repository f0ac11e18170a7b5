package kvant.lab.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import kvant.lab.result.ExperimentRecord.Published;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.ExperimentRecord.Source;
import kvant.load.search.Objective;
import org.jspecify.annotations.Nullable;

/// An experiment, with everything that its file varies and leaves out spelt out.
///
/// @param letter of those that come with Kvant, or empty
/// @param source where it was published, null where it was not
/// @param objective what the latencies are held against
/// @param repeats how often each variant gets each phase
/// @param scale which of its sizes these are
/// @param disturbed what becomes of steps in which something outside of the run took processors away
/// @param atMost how long a run until decided takes where nobody says otherwise
/// @param nice how much the servers give way to the generator
/// @param awake whether the processors are kept from sleeping
/// @param realtime whether the generator sends before whatever else wants a processor
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

    /// Of a run until decided, where its file does not say.
    public static final Duration USUAL_AT_MOST = Duration.ofHours(2);

    static final int MOST_VARIANTS = 64;
    static final int MOST_PHASES = 32;
    public static final int MOST_REPEATS = 200;
    static final int MOST_QUESTIONS = 100;
    public static final int MOST_STEPS = 2000;

    /// Start and end of a process, without its own warm-up, and what is written down; for estimates alone.
    private static final Duration AROUND_A_STEP = Duration.ofMillis(2500);

    /// Connections, a short warm-up, and the rest of the other servers; for estimates alone.
    private static final Duration AROUND_A_SLICE = Duration.ofMillis(400);

    public Experiment {
        variants = List.copyOf(variants);
        phases = List.copyOf(phases);
        questions = List.copyOf(questions);
        published = List.copyOf(published);
    }

    /// All steps in their order.
    public List<Step> plan() {
        return Step.plan(this);
    }

    /// How many repeats of all variants and loads a run has room for.
    public int mostRepeats() {
        Experiment one = withRepeats(1);
        long profiled = one.plan().stream().filter(Step::profiled).count();
        long each = one.plan().size() - profiled;
        return (int) Math.min(MOST_REPEATS, (MOST_STEPS - profiled) / Math.max(1, each));
    }

    /// The steps of two repeats, in their order.
    ///
    /// @param block from 1
    public List<Step> block(int block) {
        return Step.block(this, block);
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

    /// The load of a step; that of a profiled one may be shorter.
    public Phase phaseOf(Step step) {
        Phase phase = phase(step.phase());
        boolean own = step.profiled() && profiling.duration().isPositive();
        return own ? phase.with("duration", profiling.duration().toMillis() + "ms") : phase;
    }

    /// About how long a step takes.
    public Duration estimate(Step step) {
        Duration warming = variant(step.variant()).server().warmUp();
        Duration alone = phaseOf(step).estimate().plus(AROUND_A_STEP).plus(warming);
        if (!disturbed.isInterleaved() || step.profiled()) {
            return alone;
        }
        int turns = disturbed.turns(phaseOf(step).pace().duration());
        return alone.plus(AROUND_A_SLICE.multipliedBy(turns));
    }

    /// About how long all of it takes.
    public Duration estimate() {
        return plan().stream().map(this::estimate).reduce(Duration.ZERO, Duration::plus);
    }

    /// About how long it takes with so many blocks of each load, and the profiles.
    public Duration estimateOfBlocks(int blocks) {
        Experiment one = withRepeats(Step.ROUNDS);
        return one.plan().stream()
                .map(step -> estimate(step).multipliedBy(step.profiled() ? 1 : blocks))
                .reduce(Duration.ZERO, Duration::plus);
    }

    public Experiment withRepeats(int other) {
        return copy(other, variants, phases, questions, profiling, published, disturbed);
    }

    /// With the same difference that matters in all questions but those about errors.
    public Experiment withMargin(double margin) {
        List<Question> others =
                questions.stream().map(one -> one.withMargin(margin)).toList();
        return copy(repeats, variants, phases, others, profiling, published, disturbed);
    }

    public Experiment withProfiling(Profiling other) {
        return copy(repeats, variants, phases, questions, other, published, disturbed);
    }

    public Experiment withDisturbed(HostBound other) {
        return copy(repeats, variants, phases, questions, profiling, published, other);
    }

    public Experiment withoutProfiles() {
        return withProfiling(Profiling.NONE);
    }

    /// The same with each phase changed.
    public Experiment withPhases(UnaryOperator<Phase> change) {
        return with(variants, phases.stream().map(change).toList());
    }

    /// Only these, and what is asked about these. A question compares those of its variants that are left
    /// with its first one, and is none without it.
    ///
    /// @param variantNames empty for all
    /// @param phaseNames empty for all
    /// @throws IllegalArgumentException naming one that there is not
    public Experiment only(List<String> variantNames, List<String> phaseNames) {
        return with(
                chosen("variant", variants, Variant::name, variantNames),
                chosen("phase", phases, Phase::name, phaseNames));
    }

    /// Only the loads in which a question compares a variant with another one; all where nothing is asked.
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
                        "there is no " + kind + " '" + name + "', only " + String.join(", ", known));
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

    /// The same but for what may differ.
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
}
