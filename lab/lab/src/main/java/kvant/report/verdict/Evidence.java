package kvant.report.verdict;

import java.util.ArrayList;
import java.util.List;
import kvant.lab.result.ExperimentRecord.Published;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.Profile;
import kvant.report.folder.Results;
import kvant.report.folder.Results.MeasuredStep;
import kvant.report.inference.Schedule.Design;
import kvant.report.verdict.Verdict.Agreement;
import kvant.report.verdict.Verdict.Basis;
import kvant.report.verdict.Verdict.Caveat;
import kvant.report.verdict.Verdict.CpuDifference;
import kvant.report.verdict.Verdict.Outcome;
import kvant.report.verdict.Verdict.PublishedFigures;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Collects the evidence around an estimate: its basis, caveats, profiles, and published figures.
record Evidence(Results results, Frames frames) {

    /// Published figures have no repeats; ratios closer to 1 than this count as no difference.
    private static final double ABOUT_ONE = 1.1;

    /// Share of a round with processor time taken away above which it is a doubt. Fixed in advance.
    static final double MOST_TAKEN = 0.2;

    static Basis basis(Estimate estimate, Metric metric, PairedRounds rounds, Design design) {
        return isTold(metric, rounds)
                ? basis(estimate.rounds(), estimate.isTold(), estimate.unit(), design, Basis.WINDOWS)
                : Basis.FEW_REQUESTS;
    }

    static Basis basis(ShareDifference failures, Design design) {
        return basis(failures.rounds(), failures.isTold(), failures.unit(), design, Basis.COUNTS);
    }

    /// @param within basis of the interval with few rounds
    private static Basis basis(int rounds, boolean told, Estimate.Unit unit, Design design, Basis within) {
        if (rounds < 2) {
            return Basis.SINGLE_ROUND;
        }
        if (!told) {
            return Basis.FEW_ROUNDS;
        }
        return switch (unit) {
            case ROUND -> design.looks() ? Basis.INTERLEAVED : Basis.ROUNDS;
            case BLOCK -> design.looks() ? Basis.SEQUENCE : Basis.BLOCKS;
            case STRETCH -> within;
        };
    }

    static boolean isTold(Metric metric, PairedRounds rounds) {
        return rounds.steps().allMatch(step -> metric.isTold(Judge.load(step)));
    }

    static double failedShare(List<MeasuredStep> steps) {
        double due = 0;
        double errors = 0;
        for (MeasuredStep step : steps) {
            due += Judge.load(step).due();
            errors += Judge.load(step).errors();
        }
        return due == 0 ? 0 : errors / due;
    }

    List<Caveat> caveats(Metric metric, PairedRounds rounds, String a, String b) {
        List<Caveat> caveats = new ArrayList<>();
        int planned = rounds.planned().size();
        if (rounds.count() < planned) {
            caveats.add(new Caveat.FewerRounds(rounds.count(), planned));
        }
        if (metric.kind() != Metric.Kind.ERRORS) { // otherwise they are the subject of the question
            errors(metric, rounds.a(), a, caveats);
            errors(metric, rounds.b(), b, caveats);
        }
        rounds.steps().forEach(step -> doubts(step, caveats));
        long ofA = connections(a);
        long ofB = connections(b);
        if (ofA > 0 && ofB > 0 && ofA != ofB) {
            caveats.add(new Caveat.UnlikeConnections(ofA, ofB));
        }
        return caveats;
    }

    private static void errors(Metric metric, List<MeasuredStep> steps, String variant, List<Caveat> caveats) {
        long errors =
                steps.stream().mapToLong(step -> Judge.load(step).errors()).sum();
        if (errors == 0) {
            return;
        }
        long due = steps.stream().mapToLong(step -> Judge.load(step).due()).sum();
        caveats.add(new Caveat.FailedRequests(variant, failedShare(steps), errors, due));
        Histogram accepted = new Histogram(3);
        steps.forEach(step -> accepted.add(Judge.load(step).accepted()));
        if (metric.kind() == Metric.Kind.PERCENTILE && accepted.getTotalCount() > 0) {
            double nanos = accepted.getValueAtPercentile(metric.percentile());
            caveats.add(new Caveat.AcceptedAlone(variant, metric, nanos));
        }
    }

    private static void doubts(MeasuredStep step, List<Caveat> caveats) {
        DecodedResult load = Judge.load(step);
        boolean told = false;
        if (load.isDoubtful()) {
            Remark doubt = load.doubt();
            caveats.add(new Caveat.Doubtful(step.id(), doubt));
            told = doubt instanceof Remark.Given; // the generator's own words
        }
        if (!load.warm() && !told) {
            caveats.add(new Caveat.Unstable(step.id()));
        }
        if (load.takenShare() > MOST_TAKEN) {
            caveats.add(new Caveat.Taken(step.id(), load.takenShare()));
        }
    }

    private long connections(String variant) {
        return results.variants().stream()
                .filter(one -> one.name().equals(variant))
                .mapToLong(VariantRecord::connections)
                .findFirst()
                .orElse(0);
    }

    /// The main difference in CPU profiles.
    @Nullable
    CpuDifference cpu(String a, String b, String phase) {
        long samples = Math.min(samples(a, phase), samples(b, phase));
        return results.difference(a, b, phase, "cpu")
                .flatMap(difference -> frames.foremost(difference, samples).map(one -> cpu(difference, one)))
                .orElse(null);
    }

    private static CpuDifference cpu(Profile.Difference difference, Frames.Standout one) {
        boolean more = one.frame().delta() > 0;
        return new CpuDifference(
                more ? difference.b() : difference.a(),
                more ? difference.a() : difference.b(),
                more ? one.frame().b() : one.frame().a(),
                more ? one.frame().a() : one.frame().b(),
                one.frame(),
                one.concept());
    }

    private long samples(String variant, String phase) {
        return results.profile(variant, phase).map(one -> one.samples("cpu")).orElse(0L);
    }

    /// Compares the published results with ours. Machines differ, so only the ratios of the two variants are compared,
    /// never the figures.
    ///
    /// @param outcome of our measurement
    /// @param margin smallest relevant difference, as a share
    @Nullable
    PublishedFigures published(
            Metric metric, Estimate estimate, Outcome outcome, double margin, String a, String b, String phase) {
        double percentile = metric.kind() == Metric.Kind.MAX ? 100 : metric.percentile();
        double ofA = published(a, phase, percentile);
        double ofB = published(b, phase, percentile);
        if (!metric.isLatency() || Double.isNaN(ofA) || Double.isNaN(ofB)) {
            return null;
        }
        double apart = Math.max(apart(ofA * 1e6, estimate.a()), apart(ofB * 1e6, estimate.b()));
        Agreement agreement = switch (outcome) {
            case UNKNOWN, UNDERPOWERED -> Agreement.BESIDE;
            case SAME -> apart(ofA, ofB) < 1 + margin ? Agreement.NO_DIFFERENCE : Agreement.NOT_FOUND;
            case BETTER, WORSE, MIXED ->
                apart(ofA, ofB) < ABOUT_ONE
                        ? Agreement.NEW_HERE
                        : ofB > ofA == estimate.direction() > 0 ? Agreement.SAME_DIRECTION : Agreement.OPPOSITE;
        };
        return new PublishedFigures(agreement, ofA * 1e6, ofB * 1e6, apart);
    }

    /// The ratio of two figures, at least 1.
    private static double apart(double one, double other) {
        return Math.max(one / other, other / one);
    }

    private double published(String variant, String phase, double percentile) {
        return results.run().experiment().published().stream()
                .filter(one -> one.variant().equals(variant) && one.phase().equals(phase))
                .map(Published::percentiles)
                .filter(millis -> millis.getOrDefault(percentile, 0.0) > 0)
                .mapToDouble(millis -> millis.getOrDefault(percentile, 0.0))
                .findFirst()
                .orElse(Double.NaN);
    }
}
