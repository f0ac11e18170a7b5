package kvant.report.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.report.folder.Results;
import kvant.report.inference.PairedUnits;
import kvant.report.inference.Schedule;
import kvant.report.inference.Schedule.Design;
import kvant.report.verdict.Verdict.Answer;
import kvant.report.verdict.Verdict.Basis;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Unjudged;
import org.jspecify.annotations.Nullable;

/// Estimates the number of rounds needed to answer the questions of a run, from the variation of its rounds. A short
/// run of about four rounds is a pilot for a long one.
public final class PowerEstimate {

    /// Minimum number of rounds for a useful estimate of their spread.
    private static final int LEAST_ROUNDS = 3;

    private final Results results;

    private PowerEstimate(Results results) {
        this.results = results;
    }

    /// The rounds needed for one pair of variants in one phase.
    ///
    /// @param margin smallest relevant difference, as a share
    /// @param spread of the ratios of rounds, as a share; NaN if unknown
    /// @param fixedRounds number to plan in advance; 0 if unknown
    /// @param sequentialRounds approximate number until decided; 0 if unknown
    /// @param open whether more rounds may decide it
    public record Forecast(
            Question question,
            Verdict verdict,
            double margin,
            double spread,
            long fixedRounds,
            long sequentialRounds,
            boolean open) {

        /// The number of judged rounds.
        public long rounds() {
            Decided decided = verdict.decided();
            return decided == null ? 0 : decided.rounds();
        }
    }

    /// @param margin smallest relevant difference, as a share; NaN for that of each question
    public static List<Forecast> of(Results results, Frames frames, double margin) {
        PowerEstimate outlook = new PowerEstimate(results);
        List<Forecast> forecasts = new ArrayList<>();
        for (Answer answer : Judge.answers(results, frames)) {
            answer.verdicts().forEach(verdict -> {
                double seen = seen(answer.question(), verdict, margin);
                forecasts.add(outlook.forecast(answer.question(), verdict, seen));
            });
        }
        return forecasts;
    }

    /// For errors always the margin of the question: another one is a share of a figure, not of all requests.
    private static double seen(Question question, Verdict verdict, double margin) {
        @Nullable Decided decided = verdict.decided();
        if (decided != null && decided.failures() != null) {
            return decided.margin();
        }
        return Double.isNaN(margin) ? question.marginOrUsual() : margin;
    }

    /// True if it is open and its rounds allow an estimate of how many more are needed.
    public static boolean isPlanned(Verdict verdict) {
        @Nullable Decided decided = verdict.decided();
        return decided != null && isOpen(verdict, decided) && hasSpread(decided);
    }

    private static boolean hasSpread(Decided decided) {
        return decided.estimate() != null && decided.rounds() >= LEAST_ROUNDS;
    }

    private Forecast forecast(Question question, Verdict verdict, double margin) {
        @Nullable Decided decided = verdict.decided();
        boolean open = decided == null ? isTriedAgain(verdict) : isOpen(verdict, decided);
        if (decided == null || !hasSpread(decided)) {
            return new Forecast(question, verdict, margin, Double.NaN, 0, 0, open);
        }
        double spread = spread(verdict, decided.metric());
        double difference = Math.log1p(margin) - Math.log1p(Estimate.RESOLUTION);
        int fixed = Schedule.unitsNeeded(Design.FIXED, decided.confidence(), spread, difference);
        Design looking = Judge.looking(results);
        int each = looking.roundsOfUnit();
        int units = Schedule.unitsNeeded(looking, decided.confidence(), spread / Math.sqrt(each), difference);
        return new Forecast(question, verdict, margin, Math.expm1(spread), fixed, (long) each * units, open);
    }

    /// Spread of single rounds, as logarithms; that of a block is smaller by the square root of two.
    private double spread(Verdict verdict, Metric metric) {
        PairedRounds rounds = PairedRounds.of(results, verdict.a(), verdict.b(), verdict.phase());
        int[] repeats = rounds.repeats();
        double[] logs = new double[repeats.length];
        for (int i = 0; i < logs.length; i++) {
            logs[i] =
                    Math.log(metric.of(rounds.b().get(i)) / metric.of(rounds.a().get(i)));
        }
        PairedUnits ratios = PairedUnits.ofRatios(repeats, logs, Judge.design(results));
        boolean few = ratios.values().length < LEAST_ROUNDS; // of blocks: single rounds give more information
        return few ? PairedUnits.ofEach(logs).spread() : ratios.spread() * Math.sqrt(ratios.rounds());
    }

    private static boolean isOpen(Verdict verdict, Decided decided) {
        boolean open = !verdict.isDecided() || verdict.isSameByLeavingOut();
        return open
                && decided.basis() != Basis.FEW_REQUESTS
                && verdict.heldByGenerator().isEmpty();
    }

    /// True for steps that were measured but cannot be judged, since a repetition may be better. A server that does not
    /// start will not do so next time.
    private boolean isTriedAgain(Verdict verdict) {
        Unjudged why = Objects.requireNonNull(verdict.unjudged());
        boolean unpaired = why instanceof Unjudged.NoFigures || why instanceof Unjudged.NeverTogether;
        return unpaired && wasMeasured(verdict.a(), verdict.phase()) && wasMeasured(verdict.b(), verdict.phase());
    }

    private boolean wasMeasured(String variant, String phase) {
        return results.steps(variant, phase).stream()
                .anyMatch(step -> step.record().isDone());
    }
}
