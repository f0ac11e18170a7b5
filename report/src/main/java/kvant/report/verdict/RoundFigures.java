package kvant.report.verdict;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
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

    /// An estimate whose interval holds the change whatever a late generator may have added to either variant.
    static Estimate bounded(Metric metric, Rounds rounds, Function<RoundFigures, Estimate> estimate) {
        Estimate measured = estimate.apply(measured(metric, rounds));
        boolean late = Stream.concat(rounds.a().stream(), rounds.b().stream()).anyMatch(RoundFigures::isLate);
        if (!metric.isLatency() || !late) {
            return measured;
        }
        ToDoubleFunction<Step> punctual = step -> isLate(step) ? punctual(metric, step) : metric.of(step);
        return measured.spanning(estimate.apply(of(rounds, punctual, metric::of)))
                .spanning(estimate.apply(of(rounds, metric::of, punctual)));
    }

    /// Whether its generator may have added enough to be taken for the server.
    static boolean isLate(Step step) {
        LoadResult load = Judge.load(step);
        return load.isDoubtful() && GeneratorDoubt.of(load) instanceof GeneratorDoubt.Late;
    }

    private static double punctual(Metric metric, Step step) {
        LoadResult load = Judge.load(step);
        double all = metric.of(step);
        double own = load.punctual().getTotalCount() == 0
                ? load.ownP99Nanos()
                : metric.of(load.response()) - metric.of(load.punctual());
        return Math.clamp(all - own, Math.min(all, Math.max(1, all / LEAST_OF_SERVER)), all);
    }

    private static RoundFigures of(Rounds rounds, ToDoubleFunction<Step> ofA, ToDoubleFunction<Step> ofB) {
        return new RoundFigures(each(rounds.a(), ofA), each(rounds.b(), ofB));
    }

    static double[] each(List<Step> steps, ToDoubleFunction<Step> figure) {
        return steps.stream().mapToDouble(figure).toArray();
    }
}
