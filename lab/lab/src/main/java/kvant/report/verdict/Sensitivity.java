package kvant.report.verdict;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import kvant.lab.result.Remark;
import kvant.report.folder.MeasuredStep;
import kvant.report.inference.Schedule;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import org.HdrHistogram.Histogram;

/// Which doubts could change an answer: the rounds are judged once more under the worst that a doubt
/// allows, and the outcome is the same or it is not.
///
/// | doubt | the worst |
/// |---|---|
/// | the generator was late | it is in the interval already ([Rounds.Figures]): the figures as measured alone |
/// | rounds are missing, connections differ, or a generator had no time left | there is no bound: it could |
/// | a round is doubtful for another reason, was not warm, or its processors were taken away | it is left out |
/// | requests failed | those that were answered are compared alone |
/// | so many blocks were disturbed that none is left out | they are |
/// | a unit lies far from the others | of "no difference that matters": it is judged with the others |
///
/// What a fixed rule leaves out is no doubt of a difference: neither rule looks at which variant it speaks for. That
/// there is none that matters is another claim. Where one variant alone stalls now and then, those are the rounds that
/// lie far off.
final class Sensitivity {

    private final PairedRounds rounds;
    private final Schedule schedule;
    private final Decided decided;
    private final Outcome outcome;

    Sensitivity(PairedRounds rounds, Schedule schedule, Decided decided, Outcome outcome) {
        this.rounds = rounds;
        this.schedule = schedule;
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
            return decided.metric().kind() == Metric.Kind.RATE; // a late request takes no other work of the server
        }
        return switch (doubt.doubt()) {
            case Remark.GeneratorLate _ -> decided.estimate() != null && asMeasured() != outcome;
            case Remark.GeneratorBusy _ -> true;
            default -> changesWithout(Sensitivity::isOfAnotherReason); // the server was not warm, for one
        };
    }

    private Outcome asMeasured() {
        return outcome(measured());
    }

    /// What keeps a question open that the figures as measured would answer, and that ever more rounds like these would
    /// not: late steps among many others weigh less with each round.
    Optional<Caveat> held() {
        boolean open = decided.estimate() != null && outcome == Outcome.UNDERPOWERED;
        boolean held = open && asMeasured() != outcome && outcome(limit()) == outcome;
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

    /// What the interval comes down to with ever more rounds like these: what late sending may have added is left of
    /// it, and how much rounds differ is not.
    private Estimate limit() {
        return PairedRounds.Figures.bounded(
                decided.metric(),
                rounds,
                figures -> Judge.estimate(decided.metric(), rounds, figures, schedule, decided.confidence())
                        .withoutSpread());
    }

    private static boolean isOfAnotherReason(MeasuredStep step) {
        return Judge.load(step).isDoubtful() && Judge.load(step).doubt() instanceof Remark.Given;
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
            return false; // of failed requests is asked, or they are in the figure as they should be
        }
        PairedRounds.Figures accepted = PairedRounds.Figures.of(rounds, this::accepted, this::accepted);
        return asMeasured()
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
