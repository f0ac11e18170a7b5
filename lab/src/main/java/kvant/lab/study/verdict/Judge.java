package kvant.lab.study.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvant.lab.study.folder.Experiment.Question;
import kvant.lab.study.folder.LoadResult;
import kvant.lab.study.folder.Phase;
import kvant.lab.study.folder.Results;
import kvant.lab.study.folder.Step;
import kvant.lab.study.verdict.Verdict.Outcome;
import kvant.lab.study.words.Phrase;

/// Answers the questions of an experiment from its results. Pure: reads nothing, and says the same
/// whenever it is asked.
///
/// The confidence holds for each question with all of its pairs (Bonferroni), not for all questions
/// together.
public final class Judge {

    public static final double CONFIDENCE = 0.95;

    /// Standard errors by which shares of failed requests must differ.
    private static final double ERROR_SIGMAS = 3;

    private final Results results;
    private final Context context;

    private Judge(Results results) {
        this.results = results;
        this.context = new Context(results);
    }

    public static List<Answer> answers(Results results) {
        Judge judge = new Judge(results);
        return results.experiment().questions().stream().map(judge::answer).toList();
    }

    private Answer answer(Question question) {
        List<String> phases = question.phase().isEmpty()
                ? results.phases().stream().map(Phase::name).toList()
                : List.of(question.phase());
        Optional<Metric> metric = Metric.parse(question.metric());
        List<String> compared = question.compare();
        List<Verdict> verdicts = new ArrayList<>();
        if (compared.size() < 2 || metric.isEmpty()) {
            Phrase why = metric.isEmpty()
                    ? Phrase.of("verdict.unknownMetric").with("metric", question.metric())
                    : Phrase.of("verdict.nothingToCompare");
            verdicts.add(unknown("", question, "", "", why, List.of()));
            return new Answer(question, verdicts);
        }
        int pairs = phases.size() * (compared.size() - 1);
        double confidence = 1 - (1 - CONFIDENCE) / Math.max(1, pairs);
        for (String phase : phases) {
            for (String b : compared.subList(1, compared.size())) {
                verdicts.add(judge(question, metric.get(), phase, compared.getFirst(), b, confidence));
            }
        }
        return new Answer(question, verdicts);
    }

    private static Verdict unknown(
            String phase, Question question, String a, String b, Phrase why, List<Phrase> caveats) {
        return new Verdict(phase, question.metric(), a, b, Outcome.UNKNOWN, null, why, List.of(), caveats);
    }

    private Verdict judge(Question question, Metric metric, String phase, String a, String b, double confidence) {
        Rounds rounds = Rounds.of(results, a, b, phase);
        List<Phrase> caveats = new ArrayList<>(rounds.leftOut());
        if (rounds.count() == 0) {
            Phrase why = neverCompared(phase, a, b);
            return unknown(phase, question, a, b, why.with("phase", phase), caveats);
        }
        caveats.addAll(context.caveats(metric, rounds, a, b));
        List<Phrase> details = new ArrayList<>();
        if (metric.kind() == Metric.Kind.ERRORS) {
            return errors(question, phase, a, b, rounds, caveats);
        }
        if (!isMeasured(metric, rounds)) {
            Phrase why = Phrase.of("verdict.notMeasured").with("metric", metric.name());
            return unknown(phase, question, a, b, why, caveats);
        }
        Estimate estimate = estimate(metric, rounds, confidence);
        Outcome outcome = outcome(metric, estimate, rounds);
        details.add(context.figures(metric, estimate, a, b));
        details.add(context.basis(estimate, confidence, metric, rounds));
        List<Phrase> explanations = context.profiles(a, b, phase);
        details.addAll(context.published(metric, estimate, a, b, phase));
        Phrase headline = context.withCores(Headline.of(metric, estimate, a, b, outcome == Outcome.UNKNOWN));
        if (outcome == Outcome.MIXED) {
            headline = Phrase.of("verdict.mixed")
                    .with("claim", headline)
                    .with("a", a)
                    .with("b", b)
                    .with("shareB", Context.share(rounds.b()))
                    .with("shareA", Context.share(rounds.a()));
        }
        boolean claims = outcome != Outcome.UNKNOWN && outcome != Outcome.NO_DIFFERENCE;
        if (claims && !explanations.isEmpty()) {
            headline = Phrase.of("verdict.explained").with("claim", headline).with("by", explanations.getFirst());
        } else {
            details.addAll(explanations); // there is nothing to explain
        }
        return new Verdict(phase, question.metric(), a, b, outcome, estimate, headline, details, caveats);
    }

    private Phrase neverCompared(String phase, String a, String b) {
        List<String> absent = new ArrayList<>();
        for (String variant : List.of(a, b)) {
            if (results.usable(variant, phase).isEmpty()) {
                absent.add(variant);
            }
        }
        return absent.isEmpty()
                ? Phrase.of("verdict.neverTogether").with("a", a).with("b", b)
                : Phrase.of("verdict.absent").with("variants", String.join(", ", absent));
    }

    private static boolean isMeasured(Metric metric, Rounds rounds) {
        return rounds.a().stream().allMatch(step -> metric.of(step) > 0)
                && rounds.b().stream().allMatch(step -> metric.of(step) > 0);
    }

    private static Estimate estimate(Metric metric, Rounds rounds, double confidence) {
        double[] a = rounds.a().stream().mapToDouble(metric::of).toArray();
        double[] b = rounds.b().stream().mapToDouble(metric::of).toArray();
        boolean blocks = metric.kind() == Metric.Kind.PERCENTILE || metric.kind() == Metric.Kind.MEAN;
        if (rounds.count() >= Estimate.LEAST_ROUNDS || !blocks) {
            return Estimate.ofRounds(a, b, confidence);
        }
        return Estimate.ofBlocks(
                metric,
                a,
                b,
                rounds.a().stream().map(Judge::load).map(LoadResult::blocks).toList(),
                rounds.b().stream().map(Judge::load).map(LoadResult::blocks).toList(),
                confidence);
    }

    static LoadResult load(Step usable) {
        LoadResult load = usable.load();
        if (load == null) {
            throw new IllegalArgumentException(usable.id() + " has no figures");
        }
        return load;
    }

    private static Outcome outcome(Metric metric, Estimate estimate, Rounds rounds) {
        boolean told = rounds.a().stream().allMatch(step -> metric.isTold(load(step)))
                && rounds.b().stream().allMatch(step -> metric.isTold(load(step)));
        if (!told || !estimate.isTold() || estimate.rounds() < 2) {
            return Outcome.UNKNOWN;
        }
        int direction = estimate.direction();
        if (direction == 0) {
            return Outcome.NO_DIFFERENCE;
        }
        boolean better = direction > 0 == metric.kind().moreIsBetter();
        if (better) {
            return moreErrors(rounds) > 0 ? Outcome.MIXED : Outcome.BETTER;
        }
        return Outcome.WORSE;
    }

    /// Whether a share of failed requests differs by more than chance: 1 where B has more, -1 where A
    /// has, else 0.
    static int moreErrors(Rounds rounds) {
        double dueA = sum(rounds.a(), true);
        double dueB = sum(rounds.b(), true);
        double errorsA = sum(rounds.a(), false);
        double errorsB = sum(rounds.b(), false);
        double joint = (errorsA + errorsB) / Math.max(1, dueA + dueB);
        double sigma = Math.sqrt(joint * (1 - joint) * (1 / Math.max(1, dueA) + 1 / Math.max(1, dueB)));
        double difference = errorsB / Math.max(1, dueB) - errorsA / Math.max(1, dueA);
        return Math.abs(difference) <= ERROR_SIGMAS * sigma ? 0 : difference > 0 ? 1 : -1;
    }

    private static double sum(List<Step> steps, boolean due) {
        return steps.stream()
                .map(Judge::load)
                .mapToDouble(load -> due ? load.due() : load.errors())
                .sum();
    }

    private Verdict errors(Question question, String phase, String a, String b, Rounds rounds, List<Phrase> caveats) {
        int more = moreErrors(rounds);
        String key = more > 0 ? "verdict.errors.more" : more < 0 ? "verdict.errors.less" : "verdict.errors.none";
        Phrase headline = Phrase.of(key)
                .with("a", a)
                .with("b", b)
                .with("shareA", Context.share(rounds.a()))
                .with("shareB", Context.share(rounds.b()));
        Outcome outcome = more > 0 ? Outcome.WORSE : more < 0 ? Outcome.BETTER : Outcome.NO_DIFFERENCE;
        List<Phrase> details = List.of(Phrase.of("detail.errors").counted(rounds.count()));
        return new Verdict(
                phase, question.metric(), a, b, outcome, null, context.withCores(headline), details, caveats);
    }
}
