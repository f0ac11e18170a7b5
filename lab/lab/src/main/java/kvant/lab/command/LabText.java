package kvant.lab.command;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Phase;
import kvant.lab.experiment.Variant;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.report.inference.Schedule.Design;
import kvant.report.sentence.Remarks;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.PowerEstimate;
import kvant.report.verdict.Verdict;
import kvant.text.Units;
import org.jspecify.annotations.Nullable;

/// Formats experiments and times for `kvant lab`.
final class LabText {

    private static final long SECONDS_PER_MINUTE = 60;
    private static final long MINUTES_PER_HOUR = 60;

    private LabText() {}

    /// A duration, such as `50 s`, `4 min`, `2 h 10 min`.
    static String time(Duration duration) {
        long seconds = Math.max(1, (duration.toMillis() + 500) / 1000);
        if (seconds < 2 * SECONDS_PER_MINUTE) {
            return seconds + " s";
        }
        long minutes = (seconds + SECONDS_PER_MINUTE / 2) / SECONDS_PER_MINUTE;
        return minutes < 2 * MINUTES_PER_HOUR
                ? minutes + " min"
                : minutes / MINUTES_PER_HOUR + " h " + minutes % MINUTES_PER_HOUR + " min";
    }

    /// A percentage, such as `5 %`, `7.5 %`.
    static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.1 ? "%.1f %%" : "%.0f %%", 100 * share)
                .replace(".0 %", " %");
    }

    static String summary(Experiment experiment) {
        long measured =
                experiment.plan().stream().filter(step -> !step.profiled()).count();
        long profiled = experiment.plan().size() - measured;
        return experiment.variants().size() + " variants, "
                + experiment.phases().size() + " phases, "
                + experiment.repeats() + " repeats: " + measured + " steps"
                + (profiled == 0 ? "" : " and " + profiled + " under the profiler") + ", about "
                + time(experiment.estimate());
    }

    /// A warning if the time limit of a run until decided is too short for any decision.
    ///
    /// @param limit null if the number of rounds is fixed
    static Optional<String> tooShort(Experiment experiment, @Nullable UntilDecided limit) {
        if (limit == null || experiment.questions().isEmpty()) {
            return Optional.empty();
        }
        Duration needed = untilDecided(experiment);
        return needed.toNanos() <= limit.atMostNanos()
                ? Optional.empty()
                : Optional.of("'--at-most' is too short for answers: the first one takes "
                        + design(experiment).leastRounds() + " rounds, and they take about " + time(needed)
                        + " with the profiles");
    }

    /// Approximate minimum duration of a run until decided, including its profiles.
    static Duration untilDecided(Experiment experiment) {
        return experiment.estimateOfBlocks(design(experiment).leastBlocks());
    }

    private static Design design(Experiment experiment) {
        return experiment.disturbed().isInterleaved() ? Design.INTERLEAVED : Design.SEQUENTIAL;
    }

    /// The answer to a question for one pair in one phase, or the number of rounds that would answer it.
    static String answer(PowerEstimate.Forecast forecast) {
        Verdict verdict = forecast.verdict();
        String claim = forecast.question().id() + ", " + verdict.phase() + ": "
                + Remarks.english(VerdictSentences.headline(verdict));
        Verdict.Decided judged = verdict.decided();
        if (verdict.outcome() == Verdict.Outcome.UNKNOWN && judged != null) {
            return claim + " " + Remarks.english(VerdictSentences.reason(verdict));
        }
        long rounds = forecast.fixedRounds();
        if (!forecast.open() || judged == null || rounds <= judged.rounds()) {
            return claim;
        }
        return rounds > Experiment.MOST_REPEATS
                ? claim + " More than " + Experiment.MOST_REPEATS + " rounds would tell, more than a run may have."
                : claim + " About " + rounds + " rounds would tell ('--repeats').";
    }

    /// The number of rounds, limited to the maximum for a run.
    static String rounds(long rounds) {
        return rounds > Experiment.MOST_REPEATS ? "> " + Experiment.MOST_REPEATS : Long.toString(rounds);
    }

    /// A message if all loads of the experiment need more rounds than a run may have, but fewer loads do not.
    static Optional<String> tooManySteps(Experiment experiment, List<PowerEstimate.Forecast> forecasts) {
        int most = experiment.mostRepeats();
        return forecasts.stream()
                .map(PowerEstimate.Forecast::fixedRounds)
                .filter(rounds -> rounds > most && rounds <= Experiment.MOST_REPEATS)
                .max(Comparator.naturalOrder())
                .map(rounds -> rounds + " rounds of all variants and loads are more than "
                        + String.format(Locale.ROOT, "%,d", Experiment.MOST_STEPS) + " steps, and a run has no more: "
                        + "leave some out with '--variants' and '--phases'.");
    }

    static void print(PrintWriter out, Experiment experiment) {
        String letter = experiment.letter().isEmpty() ? "" : experiment.letter() + ", ";
        out.println(letter + experiment.name()
                + (experiment.scale() == Scale.FULL
                        ? ""
                        : ", " + experiment.scale().key()) + ": " + experiment.title());
        if (!experiment.description().isEmpty()) {
            out.println();
            String line = experiment.description().strip().replaceAll("\\s+", " ");
            out.println(line.replaceAll("(.{1,80}|\\S{81,})( |$)", "$1\n").stripTrailing());
        }
        out.println();
        out.println(summary(experiment));
        rules(experiment).forEach(out::println);
        out.println();
        out.println("Variants");
        experiment.variants().forEach(variant -> print(out, variant));
        out.println();
        out.println("Phases");
        for (Phase phase : experiment.phases()) {
            List<String> settings = new ArrayList<>();
            phase.settings().forEach((key, value) -> settings.add(key + " " + value));
            out.println("  " + phase.name() + ": " + String.join(", ", settings));
        }
        if (experiment.profiling().isWanted()) {
            out.println();
            out.println("Profiles: " + String.join(", ", experiment.profiling().events()));
        }
        if (!experiment.questions().isEmpty()) {
            out.println();
            out.println("Questions");
            experiment
                    .questions()
                    .forEach(question -> out.println("  " + question.text() + " ("
                            + question.metric() + (question.phase().isEmpty() ? "" : " of " + question.phase()) + ": "
                            + String.join(" against ", question.compare()) + ")"));
        }
        out.flush();
    }

    private static List<String> rules(Experiment experiment) {
        double bound = experiment.disturbed().above();
        int again = experiment.disturbed().again();
        String leftOut = Double.isNaN(bound)
                ? "no block of rounds is left out because of the host"
                : "blocks of rounds in which the host or other processes took more than " + HostBound.text(bound)
                        + " of the processors are left out"
                        + (again == 0 ? "" : "; a step in which they did is measured again, up to " + again + " times");
        List<String> rules = new ArrayList<>(List.of(leftOut));
        if (experiment.disturbed().isInterleaved()) {
            rules.add("variants of a round are measured in turns of "
                    + Units.time(experiment.disturbed().slice().toNanos()) + ", on servers that are alive together");
        }
        if (!experiment.nice().isNone()) {
            rules.add("servers give way to the generator: nice "
                    + experiment.nice().text());
        }
        if (experiment.awake()) {
            rules.add("processors are kept from sleeping, where this process may write to /dev/cpu_dma_latency");
        }
        if (experiment.realtime()) {
            rules.add("the generator sends before whatever else wants a processor (SCHED_FIFO), where it may");
        }
        return rules;
    }

    private static void print(PrintWriter out, Variant variant) {
        String command = String.join(" ", variant.server().commandLine());
        String jvm = variant.server().jvm().isEmpty()
                ? ""
                : "; JVM " + String.join(" ", variant.server().jvm());
        String connections = variant.connections() == 0 ? "" : "; " + variant.connections() + " connections";
        out.println("  " + variant.name() + ": " + variant.title());
        out.println("    " + command + jvm + connections);
    }
}
