package kvant.report.verdict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvant.lab.result.Remark;
import kvant.load.run.Validity;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.Results;
import kvant.report.folder.Results.MeasuredStep;
import kvant.report.inference.Schedule;
import kvant.report.verdict.Verdict.Caveat;
import kvant.report.verdict.Verdict.Caveat.Cause;
import org.jspecify.annotations.Nullable;

/// The rounds in which two variants were measured together, and the excluded ones.
///
/// @param asked numbers of all planned rounds; for a run with interim analyses, only those analysed
/// @param planned the same, without those of excluded blocks
/// @param host disturbed blocks
/// @param leftOut reasons, for each step that is not among the pairs, and for disturbed blocks
record PairedRounds(
        List<MeasuredStep> a,
        List<MeasuredStep> b,
        List<Integer> asked,
        List<Integer> planned,
        HostRule.Choice host,
        List<Caveat> leftOut) {

    static PairedRounds of(Results results, String a, String b, String phase) {
        List<MeasuredStep> ofA = results.steps(a, phase);
        List<MeasuredStep> ofB = results.steps(b, phase);
        SortedSet<Integer> repeats = new TreeSet<>();
        ofA.forEach(step -> repeats.add(step.repeat()));
        ofB.forEach(step -> repeats.add(step.repeat()));
        Schedule schedule = Judge.schedule(results);
        if (schedule.design().looks()) { // an answered question gets no more rounds, but a variant may, for others
            repeats.removeIf(
                    repeat -> find(ofA, repeat).isEmpty() || find(ofB, repeat).isEmpty());
            repeats.removeIf(repeat -> !schedule.hasSeen(repeat));
        }
        List<Integer> asked = List.copyOf(repeats);
        HostRule.Choice host = HostRule.of(results, phase)
                .choice(
                        repeats.stream()
                                .filter(repeat -> isUsable(find(ofA, repeat)) && isUsable(find(ofB, repeat)))
                                .toList(),
                        schedule.design());
        repeats.removeIf(host::isLeftOut);
        PairedRounds rounds = new PairedRounds(
                new ArrayList<>(), new ArrayList<>(), asked, List.copyOf(repeats), host, new ArrayList<>());
        for (int repeat : repeats) {
            rounds.add(repeat, find(ofA, repeat), find(ofB, repeat));
        }
        host.caveat().ifPresent(rounds.leftOut::add);
        return rounds;
    }

    private static boolean isUsable(Optional<MeasuredStep> step) {
        return step.filter(MeasuredStep::isUsable).isPresent();
    }

    private static Optional<MeasuredStep> find(List<MeasuredStep> steps, int repeat) {
        return steps.stream().filter(step -> step.repeat() == repeat).findFirst();
    }

    private void add(int repeat, Optional<MeasuredStep> stepA, Optional<MeasuredStep> stepB) {
        if (isUsable(stepA) && isUsable(stepB)) {
            a.add(stepA.get());
            b.add(stepB.get());
            return;
        }
        stepA.filter(step -> !step.isUsable()).ifPresent(step -> leftOut.add(caveat(step)));
        stepB.filter(step -> !step.isUsable()).ifPresent(step -> leftOut.add(caveat(step)));
        if (stepA.isEmpty() || stepB.isEmpty()) {
            leftOut.add(new Caveat.Alone(repeat));
        }
    }

    /// The steps of A, followed by those of B.
    Stream<MeasuredStep> steps() {
        return Stream.concat(a.stream(), b.stream());
    }

    /// The rounds without a step for which the doubt holds.
    PairedRounds without(Predicate<MeasuredStep> doubtful) {
        int[] kept = IntStream.range(0, a.size())
                .filter(i -> !doubtful.test(a.get(i)) && !doubtful.test(b.get(i)))
                .toArray();
        return new PairedRounds(
                Arrays.stream(kept).mapToObj(a::get).toList(),
                Arrays.stream(kept).mapToObj(b::get).toList(),
                asked,
                planned,
                host,
                List.of());
    }

    int count() {
        return a.size();
    }

    /// The number of each round, from 1.
    int[] repeats() {
        return a.stream().mapToInt(MeasuredStep::repeat).toArray();
    }

    /// The reason for not judging the figures of a step.
    static Caveat caveat(MeasuredStep step) {
        DecodedResult load = step.load();
        if (!step.record().isDone()) {
            Cause cause = switch (step.status()) {
                case FAILED -> Cause.FAILED;
                case SKIPPED -> Cause.SKIPPED;
                case PLANNED, DONE -> Cause.PLANNED;
            };
            return leftOut(step, cause, step.reason());
        }
        if (load == null) {
            return leftOut(step, Cause.UNREADABLE, step.unreadable());
        }
        return load.complete()
                ? new Caveat.Invalid(step.id(), load.doubt())
                : leftOut(step, Cause.PARTIAL, new Remark.Given(load.partial()));
    }

    private static Caveat leftOut(MeasuredStep step, Cause cause, @Nullable Remark reason) {
        return new Caveat.LeftOut(step.id(), cause, Objects.requireNonNullElse(reason, new Remark.Given("")));
    }

    /// A figure of the compared rounds.
    ///
    /// If the generator was late, the true response times are between the measured ones and those without its
    /// part. The effect may differ between the variants, so three kinds of figures are judged: as measured,
    /// without the generator's part for A, and without its part for B.
    record Figures(double[] a, double[] b) {

        /// The server's part of a response time is at least one in this many.
        private static final double LEAST_OF_SERVER = 100;

        /// The figures as measured.
        static Figures measured(Metric metric, PairedRounds rounds) {
            return of(rounds, metric::of, metric::of);
        }

        /// An estimate whose interval covers all possible effects of late sending on either variant.
        static Estimate bounded(Metric metric, PairedRounds rounds, Function<Figures, Estimate> estimate) {
            Estimate measured = estimate.apply(measured(metric, rounds));
            if (!metric.isLatency() || rounds.steps().noneMatch(step -> isLate(metric, step))) {
                return measured;
            }
            ToDoubleFunction<MeasuredStep> punctual =
                    step -> isLate(metric, step) ? punctual(metric, step) : metric.of(step);
            return measured.spanning(estimate.apply(of(rounds, punctual, metric::of)))
                    .spanning(estimate.apply(of(rounds, metric::of, punctual)));
        }

        /// True if the possible effect of late sending on this figure is large enough to be mistaken for the server's.
        private static boolean isLate(Metric metric, MeasuredStep step) {
            double all = metric.of(step);
            return all - punctual(metric, step) > Validity.LAG_SHARE * all;
        }

        private static double punctual(Metric metric, MeasuredStep step) {
            DecodedResult load = Judge.load(step);
            double all = metric.of(step);
            if (load.punctual().getTotalCount() > 0) {
                return Math.clamp(metric.of(load.punctual()), Math.min(1, all), all);
            }
            boolean late = load.isDoubtful() && load.doubt() instanceof Remark.GeneratorLate;
            return late ? Math.max(all / LEAST_OF_SERVER, all - load.ownP99Nanos()) : all; // of an older file
        }

        static Figures of(PairedRounds rounds, ToDoubleFunction<MeasuredStep> ofA, ToDoubleFunction<MeasuredStep> ofB) {
            return new Figures(each(rounds.a(), ofA), each(rounds.b(), ofB));
        }

        private static double[] each(List<MeasuredStep> steps, ToDoubleFunction<MeasuredStep> figure) {
            return steps.stream().mapToDouble(figure).toArray();
        }
    }
}
