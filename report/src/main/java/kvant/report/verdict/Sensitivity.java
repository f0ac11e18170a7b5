package kvant.report.verdict;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import kvant.report.folder.LoadResult;
import kvant.report.folder.Step;
import kvant.report.inference.Design;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Which doubts could change an answer: the rounds are judged once more under the worst that a doubt
/// allows, and the outcome is the same or it is not.
///
/// | doubt | the worst |
/// |---|---|
/// | the generator was late | all that may be its own is taken off one of the two, and off the other |
/// | rounds are missing | each of them was like the one that speaks most for either side |
/// | a round is doubtful for another reason, was not warm, or its processors were taken away | it is left out |
/// | requests failed | those that were answered are compared alone |
/// | connections differ, or a generator had no time left | there is no bound: it could |
///
/// Rounds that the fixed rule leaves out are no such doubt: how often verdicts are right is measured with it.
final class Sensitivity {

    private final Rounds rounds;
    private final Design design;
    private final Decided decided;
    private final Outcome outcome;

    Sensitivity(Rounds rounds, Design design, Decided decided, Outcome outcome) {
        this.rounds = rounds;
        this.design = design;
        this.decided = decided;
        this.outcome = outcome;
    }

    /// None where there is no answer that could change.
    List<Caveat> decisive(List<Caveat> caveats) {
        if (outcome == Outcome.UNKNOWN) {
            return List.of();
        }
        return caveats.stream().filter(this::isDecisive).toList();
    }

    private boolean isDecisive(Caveat caveat) {
        return switch (caveat) {
            case Caveat.LeftOut _, Caveat.Invalid _, Caveat.Alone _, Caveat.FewerRounds _ -> changesWithMissingRounds();
            case Caveat.Doubtful one -> changesWithGenerator(one);
            case Caveat.Unstable _ -> changesWithout(step -> !Judge.load(step).warm());
            case Caveat.Taken _ -> changesWithout(step -> Judge.load(step).takenShare() > Evidence.MOST_TAKEN);
            case Caveat.FailedRequests _, Caveat.AcceptedAlone _ -> changesWithAcceptedAlone();
            case Caveat.UnlikeConnections _ -> true;
            case Caveat.Disturbed _ -> false;
        };
    }

    private boolean changesWithGenerator(Caveat.Doubtful doubt) {
        if (!decided.metric().isLatency()) {
            return decided.metric().kind() == Metric.Kind.RATE; // a late request takes no other work of the server
        }
        if (doubt.doubt() instanceof GeneratorDoubt.Given) { // the server was not warm, for one
            return changesWithout(Sensitivity::isGiven);
        }
        if (doubt.doubt() instanceof GeneratorDoubt.Busy) {
            return true;
        }
        ToDoubleFunction<Step> punctual = step -> {
            double all = figure(step);
            return Judge.load(step).isDoubtful()
                    ? Math.max(all / 100, all - Judge.load(step).ownP99Nanos())
                    : all;
        };
        return changes(figures(rounds.a(), punctual), figures(rounds.b(), this::figure))
                || changes(figures(rounds.a(), this::figure), figures(rounds.b(), punctual));
    }

    private static boolean isGiven(Step step) {
        LoadResult load = Judge.load(step);
        return load.isDoubtful() && GeneratorDoubt.of(load) instanceof GeneratorDoubt.Given;
    }

    /// As if each missing round had been like the most favourable one, and as if it had been like the least.
    private boolean changesWithMissingRounds() {
        @Nullable Estimate estimate = decided.estimate();
        if (estimate == null || estimate.unit() == Estimate.Unit.STRETCH) {
            return true;
        }
        double[] a = figures(rounds.a(), this::figure);
        double[] b = figures(rounds.b(), this::figure);
        double[] logs = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            logs[i] = Math.log(b[i] / a[i]);
        }
        double low = DoubleStream.of(logs).min().orElse(0);
        double high = DoubleStream.of(logs).max().orElse(0);
        return isOtherWith(low, logs) || isOtherWith(high, logs);
    }

    private boolean isOtherWith(double missing, double[] logs) {
        int[] known = repeats(rounds.a());
        Set<Integer> present = new HashSet<>();
        for (int repeat : known) {
            present.add(repeat);
        }
        int last = Math.max(rounds.planned(), known[known.length - 1]);
        List<Integer> repeats = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int repeat = 1, next = 0; repeat <= last; repeat++) {
            repeats.add(repeat);
            ratios.add(Math.exp(present.contains(repeat) ? logs[next++] : missing));
        }
        double[] ones = DoubleStream.generate(() -> 1).limit(ratios.size()).toArray();
        double[] others = ratios.stream().mapToDouble(Double::doubleValue).toArray();
        int[] all = repeats.stream().mapToInt(Integer::intValue).toArray();
        return isOther(Estimate.ofRounds(all, ones, others, design, decided.confidence()));
    }

    private boolean changesWithout(Predicate<Step> doubtful) {
        List<Step> a = new ArrayList<>();
        List<Step> b = new ArrayList<>();
        for (int i = 0; i < rounds.count(); i++) {
            boolean left = Stream.of(rounds.a().get(i), rounds.b().get(i)).anyMatch(doubtful);
            if (!left) {
                a.add(rounds.a().get(i));
                b.add(rounds.b().get(i));
            }
        }
        Rounds rest = new Rounds(a, b, rounds.planned(), List.of());
        boolean counted = decided.estimate() == null;
        if (rest.count() == 0 || counted) {
            return rest.count() == 0 || Judge.moreErrors(rest) != decided.moreErrors();
        }
        return isOther(Judge.estimate(decided.metric(), rest, design, decided.confidence()));
    }

    private boolean changesWithAcceptedAlone() {
        if (!decided.metric().isLatency()) {
            return false; // of failed requests is asked, or they are in the figure as they should be
        }
        ToDoubleFunction<Step> accepted = step -> {
            Histogram own = Judge.load(step).accepted();
            return own.getTotalCount() == 0
                    ? Double.NaN
                    : Math.max(
                            1,
                            switch (decided.metric().kind()) {
                                case MEAN -> own.getMean();
                                case MAX -> own.getMaxValue();
                                default ->
                                    own.getValueAtPercentile(decided.metric().percentile());
                            });
        };
        return changes(figures(rounds.a(), accepted), figures(rounds.b(), accepted));
    }

    /// Whether the outcome is another one with other figures of the same rounds.
    private boolean changes(double[] a, double[] b) {
        @Nullable Estimate estimate = decided.estimate();
        if (estimate == null) {
            return false;
        }
        return isOther(
                estimate.unit() == Estimate.Unit.STRETCH
                        ? estimate.moved(a, b)
                        : Estimate.ofRounds(repeats(rounds.a()), a, b, design, decided.confidence()));
    }

    private boolean isOther(Estimate estimate) {
        boolean told = estimate.isTold() && estimate.rounds() >= 2;
        return Judge.outcome(decided.metric(), estimate, told, decided.margin(), decided.moreErrors()) != outcome;
    }

    private double figure(Step step) {
        return decided.metric().of(step);
    }

    private static double[] figures(List<Step> steps, ToDoubleFunction<Step> figure) {
        return steps.stream().mapToDouble(figure).toArray();
    }

    private static int[] repeats(List<Step> steps) {
        return steps.stream().mapToInt(Step::repeat).toArray();
    }
}
