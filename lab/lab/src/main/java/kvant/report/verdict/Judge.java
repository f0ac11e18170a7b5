package kvant.report.verdict;

import static java.util.stream.Collectors.toMap;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import kvant.lab.result.ExperimentRecord.Look;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.lab.result.RunRecord.PhaseRecord;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.Results;
import kvant.report.folder.Results.MeasuredStep;
import kvant.report.inference.Schedule;
import kvant.report.inference.Schedule.Design;
import kvant.report.verdict.Verdict.Answer;
import kvant.report.verdict.Verdict.Caveat;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import kvant.report.verdict.Verdict.Unjudged;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Answers the questions of an experiment from its results. A pure function: it reads nothing else, and always gives
/// the same answers.
///
/// The confidence holds for each question with all of its pairs (Bonferroni), not for all questions together.
public final class Judge {

    public static final double CONFIDENCE = 0.95;

    private final Results results;
    private final Evidence evidence;
    private final Schedule schedule;

    private Judge(Results results, Frames frames) {
        this.results = results;
        this.schedule = schedule(results);
        this.evidence = new Evidence(results, frames);
    }

    /// @param frames subjects of frames in profiles
    public static List<Answer> answers(Results results, Frames frames) {
        Judge judge = new Judge(results, frames);
        return results.run().experiment().questions().stream()
                .map(judge::answer)
                .toList();
    }

    /// The design by which the number of rounds was determined.
    public static Design design(Results results) {
        return schedule(results).design();
    }

    static Schedule schedule(Results results) {
        @Nullable UntilDecided limit = results.run().experiment().untilDecided();
        return limit == null
                ? Schedule.FIXED
                : new Schedule(
                        looking(results),
                        limit.looks().stream()
                                .filter(look -> look.spent() >= 0 && look.spent() <= 1)
                                .collect(toMap(Look::repeat, Look::spent, Math::max, TreeMap::new)));
    }

    /// The design with which a run with this kind of rounds continues until it is decided.
    static Design looking(Results results) {
        return results.run().experiment().interleavedNanos() > 0 ? Design.INTERLEAVED : Design.SEQUENTIAL;
    }

    private Answer answer(Question question) {
        List<String> phases = question.phase().isEmpty()
                ? results.run().phases().stream().map(PhaseRecord::name).toList()
                : List.of(question.phase());
        Optional<Metric> metric = Metric.parse(question.metric());
        List<String> compared = question.compare();
        if (compared.size() < 2 || metric.isEmpty()) {
            Unjudged why =
                    metric.isEmpty() ? new Unjudged.UnknownMetric(question.metric()) : new Unjudged.NothingToCompare();
            return new Answer(question, List.of(new Pair(question, "", "", "").unknown(why, List.of())));
        }
        String a = compared.getFirst();
        List<Pair> pairs = phases.stream()
                .flatMap(phase -> compared.stream().skip(1).map(b -> new Pair(question, phase, a, b)))
                .filter(this::haveSameLoad)
                .toList();
        double confidence = 1 - (1 - CONFIDENCE) / Math.max(1, pairs.size());
        return new Answer(
                question,
                pairs.stream()
                        .map(pair -> judge(metric.get(), pair, confidence))
                        .toList());
    }

    private boolean haveSameLoad(Pair pair) {
        return results.variants().stream()
                .filter(one -> one.name().equals(pair.a) || one.name().equals(pair.b))
                .allMatch(one -> one.gets(pair.phase));
    }

    /// Two variants to compare for a question.
    private record Pair(Question question, String phase, String a, String b) {

        Verdict unknown(Unjudged why, List<Caveat> caveats) {
            return new Verdict(phase, question.metric(), a, b, Outcome.UNKNOWN, null, why, caveats, List.of());
        }
    }

    private Verdict judge(Metric metric, Pair pair, double confidence) {
        PairedRounds rounds = PairedRounds.of(results, pair.a, pair.b, pair.phase);
        List<Caveat> caveats = new ArrayList<>(rounds.leftOut());
        if (rounds.count() == 0) {
            List<String> absent = Stream.of(pair.a, pair.b)
                    .filter(variant -> results.usable(variant, pair.phase).isEmpty())
                    .toList();
            Unjudged why = absent.isEmpty() ? new Unjudged.NeverTogether() : new Unjudged.NoFigures(absent);
            return pair.unknown(why, caveats);
        }
        caveats.addAll(evidence.caveats(metric, rounds, pair.a, pair.b));
        Schedule own = schedule.of(rounds.asked());
        if (metric.kind() != Metric.Kind.ERRORS && !rounds.steps().allMatch(step -> metric.of(step) > 0)) {
            return pair.unknown(new Unjudged.NotMeasured(metric), caveats);
        }
        Decided decided = decided(metric, rounds, own, pair, confidence);
        @Nullable Estimate estimate = decided.estimate();
        if (estimate != null && estimate.disturbed() > 0) {
            caveats.add(disturbed(estimate));
        }
        Outcome outcome = outcome(decided, rounds);
        Sensitivity sensitivity = new Sensitivity(rounds, own, decided, outcome);
        sensitivity.held().ifPresent(caveats::addFirst);
        List<Caveat> decisive = sensitivity.decisive(caveats);
        return new Verdict(
                pair.phase, pair.question.metric(), pair.a, pair.b, outcome, decided, null, caveats, decisive);
    }

    private Decided decided(Metric metric, PairedRounds rounds, Schedule own, Pair pair, double confidence) {
        ShareDifference shares = ShareDifference.of(ShareDifference.rounds(rounds), own, confidence);
        boolean counted = metric.kind() == Metric.Kind.ERRORS;
        @Nullable Estimate estimate = counted ? null : estimate(metric, rounds, own, confidence);
        Design design = schedule.design();
        double margin = metric.margin(pair.question);
        int moreErrors = shares.direction();
        return new Decided(
                metric,
                results.run().machine().cores(),
                rounds.count(),
                estimate == null ? Evidence.basis(shares, design) : Evidence.basis(estimate, metric, rounds, design),
                confidence,
                design.leastRounds(),
                margin,
                estimate,
                counted ? shares : null,
                moreErrors,
                Evidence.failedShare(rounds.a()),
                Evidence.failedShare(rounds.b()),
                counted ? null : evidence.cpu(pair.a, pair.b, pair.phase),
                estimate == null
                        ? null
                        : evidence.published(
                                metric,
                                estimate,
                                outcome(metric, estimate, isTold(metric, rounds, estimate), margin, moreErrors),
                                margin,
                                pair.a,
                                pair.b,
                                pair.phase));
    }

    private static Outcome outcome(Decided decided, PairedRounds rounds) {
        @Nullable ShareDifference failures = decided.failures();
        if (failures != null) {
            return outcome(failures, decided.margin());
        }
        Estimate estimate = Objects.requireNonNull(decided.estimate());
        boolean sufficient = isTold(decided.metric(), rounds, estimate);
        return outcome(decided.metric(), estimate, sufficient, decided.margin(), decided.moreErrors());
    }

    /// The outcome for counts of failed requests.
    static Outcome outcome(ShareDifference failures, double margin) {
        if (!failures.isTold()) {
            return Outcome.UNKNOWN;
        }
        int direction = failures.direction();
        if (direction == 0) {
            return failures.isWithin(margin) ? Outcome.SAME : Outcome.UNDERPOWERED;
        }
        return direction > 0 ? Outcome.WORSE : Outcome.BETTER;
    }

    private static Caveat disturbed(Estimate estimate) {
        boolean blocks = estimate.unit() == Estimate.Unit.BLOCK;
        int units = blocks ? estimate.rounds() / 2 : estimate.rounds();
        return new Caveat.Disturbed(estimate.disturbed(), units, blocks);
    }

    /// With the possible effect of late sending, in either direction.
    static Estimate estimate(Metric metric, PairedRounds rounds, Schedule schedule, double confidence) {
        return PairedRounds.Figures.bounded(
                metric, rounds, figures -> estimate(metric, rounds, figures, schedule, confidence));
    }

    /// Without the possible effect of late sending.
    static Estimate measured(Metric metric, PairedRounds rounds, Schedule schedule, double confidence) {
        return estimate(metric, rounds, PairedRounds.Figures.measured(metric, rounds), schedule, confidence);
    }

    static Estimate estimate(
            Metric metric, PairedRounds rounds, PairedRounds.Figures figures, Schedule schedule, double confidence) {
        Design design = schedule.design();
        boolean stretches = metric.kind() == Metric.Kind.PERCENTILE || metric.kind() == Metric.Kind.MEAN;
        if (design.looks() || rounds.count() >= design.leastUnits() || !stretches) {
            return Estimate.ofRounds(rounds.repeats(), figures.a(), figures.b(), schedule, confidence);
        }
        return Estimate.ofBlocks(metric, figures.a(), figures.b(), blocks(rounds.a()), blocks(rounds.b()), confidence);
    }

    private static List<List<Histogram>> blocks(List<MeasuredStep> steps) {
        return steps.stream().map(step -> load(step).file().decodedBlocks()).toList();
    }

    static DecodedResult load(MeasuredStep usable) {
        DecodedResult load = usable.load();
        if (load == null) {
            throw new IllegalArgumentException(usable.id() + " has no figures");
        }
        return load;
    }

    private static boolean isTold(Metric metric, PairedRounds rounds, Estimate estimate) {
        return Evidence.isTold(metric, rounds) && estimate.isTold() && estimate.rounds() >= 2;
    }

    /// The outcome for an estimate.
    ///
    /// @param sufficient whether the data are sufficient
    /// @param margin smallest relevant difference, as a share
    /// @param moreErrors 1 if B failed more requests, -1 if A did, otherwise 0
    public static Outcome outcome(Metric metric, Estimate estimate, boolean sufficient, double margin, int moreErrors) {
        if (!sufficient) {
            return Outcome.UNKNOWN;
        }
        int direction = estimate.direction();
        if (direction == 0) {
            return estimate.isWithin(margin) ? Outcome.SAME : Outcome.UNDERPOWERED;
        }
        if (direction > 0 == metric.kind().moreIsBetter()) {
            return moreErrors > 0 ? Outcome.MIXED : Outcome.BETTER;
        }
        return moreErrors < 0 ? Outcome.MIXED : Outcome.WORSE;
    }
}
