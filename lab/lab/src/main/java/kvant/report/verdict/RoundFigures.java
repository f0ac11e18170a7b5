package kvant.report.verdict;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import kvant.load.run.Validity;
import kvant.report.folder.LoadResult;
import kvant.report.folder.Step;

/// A figure of the rounds that are compared.
///
/// Where the generator was late, the true response times lie between those that it measured and those without its own
/// part. What it may have added to one variant it need not have added to the other, so that there are three kinds of
/// figures to judge by: as measured, without its part of A, and without its part of B.
record RoundFigures(double[] a, double[] b) {

    /// At least one part in so many of a response time is the server's.
    private static final double LEAST_OF_SERVER = 100;

    /// As measured.
    static RoundFigures measured(Metric metric, Rounds rounds) {
        return of(rounds, metric::of, metric::of);
    }

    /// An estimate whose interval holds the change whatever late sending may have added to either variant.
    static Estimate bounded(Metric metric, Rounds rounds, Function<RoundFigures, Estimate> estimate) {
        Estimate measured = estimate.apply(measured(metric, rounds));
        boolean late = Stream.concat(rounds.a().stream(), rounds.b().stream()).anyMatch(step -> isLate(metric, step));
        if (!metric.isLatency() || !late) {
            return measured;
        }
        ToDoubleFunction<Step> punctual = step -> isLate(metric, step) ? punctual(metric, step) : metric.of(step);
        return measured.spanning(estimate.apply(of(rounds, punctual, metric::of)))
                .spanning(estimate.apply(of(rounds, metric::of, punctual)));
    }

    /// Whether late sending may have added so much to this figure that it could be taken for the server's.
    private static boolean isLate(Metric metric, Step step) {
        double all = metric.of(step);
        return all - punctual(metric, step) > Validity.LAG_SHARE * all;
    }

    private static double punctual(Metric metric, Step step) {
        LoadResult load = Judge.load(step);
        double all = metric.of(step);
        if (load.punctual().getTotalCount() > 0) {
            return Math.clamp(metric.of(load.punctual()), Math.min(1, all), all);
        }
        boolean late = load.isDoubtful() && GeneratorDoubt.of(load) instanceof GeneratorDoubt.Late;
        return late ? Math.max(all / LEAST_OF_SERVER, all - load.ownP99Nanos()) : all; // of an old file
    }

    private static RoundFigures of(Rounds rounds, ToDoubleFunction<Step> ofA, ToDoubleFunction<Step> ofB) {
        return new RoundFigures(each(rounds.a(), ofA), each(rounds.b(), ofB));
    }

    static double[] each(List<Step> steps, ToDoubleFunction<Step> figure) {
        return steps.stream().mapToDouble(figure).toArray();
    }
}
