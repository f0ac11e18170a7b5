package kvant.lab.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import kvant.lab.experiment.Experiment;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.run.LabRun;
import kvant.report.Study;
import kvant.report.inference.Schedule;
import kvant.report.sentence.Remarks;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.PowerEstimate.Forecast;
import kvant.report.verdict.Verdict;
import kvant.report.words.Phrase;
import kvant.text.ExitCode;
import kvant.text.TextTable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `kvant lab plan`: estimates the number of rounds for the questions of an experiment from a short run.
@Command(
        name = "plan",
        description =
                "Estimate rounds and time that each question of an experiment takes, from the variance of a folder"
                        + " of results.",
        sortOptions = false,
        footer = {
            "",
            "A pilot of four rounds says enough:",
            "",
            "  kvant lab run sync-or-async --short --repeats 4 --no-profile --out pilot",
            "  kvant lab plan pilot --see 5%%"
        })
final class LabPlanCommand extends LabAction {

    @Parameters(paramLabel = "DIR", description = "Folder of results by 'kvant lab run'.")
    private Path folder = Path.of("");

    @Option(
            names = "--see",
            paramLabel = "P",
            description =
                    "Difference to detect, such as 5%% (default: that of each question, 10%%); questions about errors"
                            + " keep theirs.")
    private @Nullable String see;

    @Override
    public Integer call() {
        double margin = see == null ? Double.NaN : parsed("--see", see, Question::margin);
        Experiment experiment = LabRun.experimentOf(folder);
        List<Forecast> forecasts = Study.outlook(folder, margin);
        PrintWriter out = out();
        TextTable table = new TextTable(
                "question", "phase", "pair", "figure", ">see", ">spread", ">rounds", ">time", ">until decided", "now");
        forecasts.forEach(one -> table.add(row(one, experiment)));
        if (table.isEmpty()) {
            out.println("the experiment asks no questions");
        } else {
            table.lines().forEach(out::println);
        }
        notes(forecasts).forEach(out::println);
        explain(out, experiment, forecasts);
        out.flush();
        return ExitCode.DONE;
    }

    private static void explain(PrintWriter out, Experiment experiment, List<Forecast> forecasts) {
        out.println();
        if (forecasts.stream().noneMatch(LabPlanCommand::isTold)) {
            out.println(
                    "These rounds tell no number of rounds: it takes three of a question that is not about errors.");
            out.println("Run the experiment with '--repeats 4' or more.");
            return;
        }
        out.println(String.format(
                Locale.ROOT,
                "Rounds that find the difference with a probability of %.0f %%, or rule it out where there is none:",
                100 * Schedule.POWER));
        out.println("'rounds' as '--repeats', planned beforehand; 'until decided' about as many with"
                + " '--until-decided'. A few rounds know their spread");
        out.println(
                "but roughly: the numbers may be off by a factor of two. A dash: fewer than three rounds, or errors.");
        if (!forecasts.stream().allMatch(one -> isPossible(Math.max(one.fixedRounds(), one.sequentialRounds())))) {
            out.println("'" + LabText.rounds(Long.MAX_VALUE)
                    + "': more than a run may have. A larger '--see' takes fewer.");
        }
        LabText.tooManySteps(experiment, forecasts).ifPresent(out::println);
    }

    private static boolean isTold(Forecast forecast) {
        return forecast.fixedRounds() > 0;
    }

    private static String[] row(Forecast forecast, Experiment experiment) {
        Verdict verdict = forecast.verdict();
        boolean told = isTold(forecast);
        return new String[] {
            forecast.question().id(),
            verdict.phase(),
            verdict.a() + ", " + verdict.b(),
            verdict.metric(),
            LabText.percent(forecast.margin()),
            told ? LabText.percent(forecast.spread()) : "-",
            told ? LabText.rounds(forecast.fixedRounds()) : "-",
            told && isPossible(forecast.fixedRounds()) ? time(forecast, experiment) : "-",
            told ? LabText.rounds(forecast.sequentialRounds()) : "-",
            now(forecast)
        };
    }

    /// Notes below the table: disturbed blocks, and questions that more rounds would leave open.
    private static List<String> notes(List<Forecast> forecasts) {
        return forecasts.stream()
                .flatMap(one -> {
                    Verdict verdict = one.verdict();
                    Optional<Phrase> held = verdict.heldByGenerator().map(_ -> VerdictSentences.headline(verdict));
                    return Stream.concat(verdict.host().map(VerdictSentences::host).stream(), held.stream())
                            .map(phrase ->
                                    one.question().id() + ", " + verdict.phase() + ": " + Remarks.english(phrase));
                })
                .distinct()
                .toList();
    }

    /// The current answer, as used by '--until-decided'. If rounds do not help, the report gives the reason.
    static String now(Forecast forecast) {
        if (forecast.open()) {
            return "open";
        }
        if (forecast.verdict().heldByGenerator().isPresent()) {
            return "held open by the generator";
        }
        return forecast.verdict().isDecided() ? "decided" : "undecidable";
    }

    private static boolean isPossible(long rounds) {
        return rounds <= Experiment.MOST_REPEATS;
    }

    /// Time for the two variants only.
    private static String time(Forecast forecast, Experiment experiment) {
        Verdict verdict = forecast.verdict();
        Duration round = experiment.plan().stream()
                .filter(step -> !step.profiled() && step.repeat() == 1)
                .filter(step -> step.phase().equals(verdict.phase()))
                .filter(step ->
                        step.variant().equals(verdict.a()) || step.variant().equals(verdict.b()))
                .map(experiment::estimate)
                .reduce(Duration.ZERO, Duration::plus);
        return LabText.time(round.multipliedBy(forecast.fixedRounds()));
    }
}
