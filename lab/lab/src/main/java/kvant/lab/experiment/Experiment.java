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

    /// All steps in order.
    public List<Step> plan() {
        return Step.plan(this);
    }

    /// The maximum number of repeats of all variants and loads in a run.
    public int mostRepeats() {
        Experiment one = withRepeats(1);
        long profiled = one.plan().stream().filter(Step::profiled).count();
        long each = one.plan().size() - profiled;
        return (int) Math.min(MOST_REPEATS, (MOST_STEPS - profiled) / Math.max(1, each));
    }

    /// The steps of a block, which are two repeats, in order.
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

    public Experiment withProfiling(Profiling other) {
        return copy(repeats, variants, phases, questions, other, published, disturbed);
    }

    public Experiment withDisturbed(HostBound other) {
        return copy(repeats, variants, phases, questions, profiling, published, other);
    }

    public Experiment withoutProfiles() {
        return withProfiling(Profiling.NONE);
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
}
