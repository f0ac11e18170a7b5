package kvant.report.verdict;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import kvant.lab.result.Remark;
import kvant.report.folder.Results.MeasuredStep;
import kvant.report.inference.Schedule;
import kvant.report.verdict.Verdict.Caveat;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import org.HdrHistogram.Histogram;

/// Determines which doubts could change an answer: the rounds are judged again under the worst case of a doubt, and the
/// outcome is the same or not.
///
/// | doubt | worst case |
/// |---|---|
/// | the generator was late | already in the interval ([Rounds.Figures]): only the measured figures |
/// | rounds are missing, connections differ, or a generator had no idle time | unbounded: it could change the answer |
/// | a round is doubtful for another reason, was not warm, or lost processor time | the round is excluded |
/// | requests failed | only the answered ones are compared |
/// | too many blocks were disturbed to exclude them | they are excluded |
/// | a unit is an outlier | only for "no relevant difference": the unit is included |
///
/// An exclusion by a fixed rule is no doubt about a difference, since neither rule depends on the direction. For the
/// claim that there is no relevant difference it is: if only one variant stalls occasionally, the rounds with stalls
/// are the outliers.
record Sensitivity(PairedRounds rounds, Schedule schedule, Decided decided, Outcome outcome) {

    /// Empty if there is no answer that could change.
    List<Caveat> decisive(List<Caveat> caveats) {
        if (outcome == Outcome.UNKNOWN) {
            return List.of();
        }
        return caveats.stream().filter(this::isDecisive).toList();
    }

    private boolean isDecisive(Caveat caveat) {
        return switch (caveat) {
            case Caveat.LeftOut _, Caveat.Invalid _, Caveat.Alone _, Caveat.FewerRounds _ -> true;
            case Caveat.Doubtful one -> changesWithGenerator(one);
            case Caveat.Unstable _ -> changesWithout(step -> !Judge.load(step).warm());
            case Caveat.Taken _ -> changesWithout(step -> Judge.load(step).takenShare() > Evidence.MOST_TAKEN);
            case Caveat.FailedRequests _, Caveat.AcceptedAlone _ -> changesWithAcceptedAlone();
            case Caveat.UnlikeConnections _, Caveat.HeldByGenerator _ -> true;
            case Caveat.Host one ->
                !one.leftOut() && changesWithout(step -> rounds.host().isDisturbed(step.repeat()));
            case Caveat.Disturbed _ -> outcome == Outcome.SAME && outcome(withAllUnits()) != outcome;
        };
    }

    private boolean changesWithGenerator(Caveat.Doubtful doubt) {
        if (!decided.metric().isLatency()) {
            return decided.metric().kind() == Metric.Kind.RATE; // lateness does not change other work of the server
        }
        return switch (doubt.doubt()) {
            case Remark.GeneratorLate _ -> decided.estimate() != null && outcome(measured()) != outcome;
            case Remark.GeneratorBusy _ -> true;
            default ->
                changesWithout(step -> Judge.load(step).isDoubtful()
                        && Judge.load(step).doubt() instanceof Remark.Given); // such as a server that was not warm
        };
    }

    /// A doubt that keeps a question open, although the measured figures would answer it and more rounds would not:
    /// late steps among many others have less weight with each round.
    Optional<Caveat> held() {
        boolean open = decided.estimate() != null && outcome == Outcome.UNDERPOWERED;
        boolean held = open && outcome(measured()) != outcome && outcome(limit()) == outcome;
        return held ? Optional.of(new Caveat.HeldByGenerator(decided.metric(), measured())) : Optional.empty();
    }

    private Estimate withAllUnits() {
        return PairedRounds.Figures.bounded(
                decided.metric(),
                rounds,
                figures -> Estimate.ofAllRounds(
                        rounds.repeats(), figures.a(), figures.b(), schedule, decided.confidence()));
    }

    private Estimate measured() {
        return Judge.measured(decided.metric(), rounds, schedule, decided.confidence());
    }

    /// The limit of the interval for many more rounds like these: the possible effect of late sending remains, the
    /// variation between rounds does not.
    private Estimate limit() {
        return PairedRounds.Figures.bounded(
                decided.metric(),
                rounds,
                figures -> Judge.estimate(decided.metric(), rounds, figures, schedule, decided.confidence())
                        .withoutSpread());
    }

    private boolean changesWithout(Predicate<MeasuredStep> doubtful) {
        PairedRounds rest = rounds.without(doubtful);
        if (rest.count() == 0) {
            return true;
        }
        if (decided.failures() != null) {
            ShareDifference counted = ShareDifference.of(ShareDifference.rounds(rest), schedule, decided.confidence());
            return Judge.outcome(counted, decided.margin()) != outcome;
        }
        return outcome(Judge.estimate(decided.metric(), rest, schedule, decided.confidence())) != outcome;
    }

    private boolean changesWithAcceptedAlone() {
        if (!decided.metric().isLatency()) {
            return false; // failed requests are the subject, or are part of the figure
        }
        PairedRounds.Figures accepted = PairedRounds.Figures.of(rounds, this::accepted, this::accepted);
        return outcome(measured())
                != outcome(Judge.estimate(decided.metric(), rounds, accepted, schedule, decided.confidence()));
    }

    private double accepted(MeasuredStep step) {
        Histogram own = Judge.load(step).accepted();
        return own.getTotalCount() == 0
                ? Double.NaN
                : Math.max(1, decided.metric().of(own));
    }

    private Outcome outcome(Estimate estimate) {
        boolean told = estimate.isTold() && estimate.rounds() >= 2;
        return Judge.outcome(decided.metric(), estimate, told, decided.margin(), decided.moreErrors());
    }
}
