package kvant.lab.run;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Step;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import kvant.lab.result.StepRecord.Disturbance;
import kvant.load.record.RequestCounts;
import kvant.load.run.Progress;

/// Receives the progress of a run, on the thread that runs it; during a step also the progress of its load.
public interface RunListener extends Progress {

    /// A step begins.
    ///
    /// @param number from 1
    /// @param left estimated time until the end of the last step
    default void begins(Step step, int number, int of, Duration left) {}

    /// A step performs an activity without its own progress, such as `starting`.
    default void doing(String what) {}

    /// The turn of a step in an interleaved round begins.
    default void turn(Step step) {}

    /// A step has been measured: the outcome of all requests that count.
    default void answered(Step step, RequestCounts counts) {}

    /// A step was disturbed from outside the run, and is measured again.
    default void disturbed(Step step, Set<Disturbance> by) {}

    /// A step has ended, successfully or not.
    default void ended(StepRecord result) {}

    /// A doubt about the experiment.
    default void warning(Remark doubt) {}

    /// A variant cannot start on this machine.
    default void leftOut(String variant, Remark why) {}

    /// A run until decided has analysed its results.
    ///
    /// @param time open questions and their estimated time
    /// @param goesOn whether more rounds follow
    default void looked(Eta time, boolean goesOn) {}

    /// All steps were already done.
    default void nothingToDo() {}

    /// The estimated time for the open questions of a run, at the pace of its steps so far.
    ///
    /// @param open undecided questions
    /// @param needed time for all questions with a known number of rounds, and the profiles; zero if there are
    ///     none
    /// @param left remaining time of the run
    record Eta(List<Open> open, Duration needed, Duration left) {

        /// @param time of its own rounds; zero if their number is unknown
        public record Open(Instruments.Undecided question, Duration time) {}

        public Eta {
            open = List.copyOf(open);
        }

        /// @param pace ratio of actual to estimated duration of steps
        /// @param profiles duration of the profiled steps, at that pace
        static Eta of(
                Experiment experiment,
                List<Instruments.Undecided> open,
                double pace,
                Duration profiles,
                Duration left) {
            Map<Step, Long> rounds = new HashMap<>();
            List<Open> timed = open.stream()
                    .map(one -> {
                        List<Step> round = round(experiment, one);
                        round.forEach(step -> rounds.merge(step, one.roundsToGo(), Math::max));
                        return new Open(one, time(experiment, round, one.roundsToGo(), pace));
                    })
                    .toList();
            Duration needed = Duration.ZERO;
            for (Map.Entry<Step, Long> each : rounds.entrySet()) { // a round serves all questions about its variants
                needed = needed.plus(time(experiment, List.of(each.getKey()), each.getValue(), pace));
            }
            return new Eta(timed, needed.isZero() ? needed : needed.plus(profiles), left);
        }

        /// True if the remaining time is sufficient, as far as known.
        public boolean suffices() {
            return needed.compareTo(left) <= 0;
        }

        /// The questions by needed time, shortest first. Those with an unknown time come first: a round may
        /// reveal it.
        List<Instruments.Undecided> nearestFirst() {
            return open.stream()
                    .sorted(Comparator.comparing(Open::time))
                    .map(Open::question)
                    .toList();
        }

        private static List<Step> round(Experiment experiment, Instruments.Undecided one) {
            return experiment.block(1).stream()
                    .filter(step -> step.repeat() == 1 && step.phase().equals(one.phase()))
                    .filter(step ->
                            step.variant().equals(one.a()) || step.variant().equals(one.b()))
                    .toList();
        }

        private static Duration time(Experiment experiment, List<Step> round, long rounds, double pace) {
            double nanos = round.stream()
                    .mapToDouble(step -> experiment.estimate(step).toNanos())
                    .sum();
            return Duration.ofNanos((long) (nanos * rounds * pace));
        }
    }
}
