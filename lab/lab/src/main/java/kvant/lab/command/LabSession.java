package kvant.lab.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import kvant.lab.command.LabCommand.ThisKvant;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Step;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord;
import kvant.lab.run.Instruments;
import kvant.lab.run.LabRun;
import kvant.lab.run.LabRun.RunRequest;
import kvant.lab.run.ServedProcess.ServerException;
import kvant.load.host.BusyHost;
import kvant.load.loop.StopSwitch;
import kvant.report.Study;
import kvant.report.sentence.Remarks;
import kvant.report.verdict.PowerEstimate;
import kvant.report.words.Words.Language;
import kvant.text.ExitCode;
import kvant.text.ProgressLine;
import kvant.text.Signals;
import kvant.text.Terminal;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// A run of an experiment on behalf of a command: its progress, the signals that stop it, and its final messages.
final class LabSession {

    private final PrintWriter out;
    private final PrintWriter err;
    private final ThisKvant kvant;
    private final RoundOptions options;
    private final StopSwitch stop = new StopSwitch();

    private LabSession(PrintWriter out, PrintWriter err, ThisKvant kvant, RoundOptions options) {
        this.out = out;
        this.err = err;
        this.kvant = kvant;
        this.options = options;
    }

    /// Starts a session. From then on signals stop the run instead of ending the process.
    static LabSession begin(PrintWriter out, PrintWriter err, ThisKvant kvant, RoundOptions options) {
        LabSession session = new LabSession(out, err, kvant, options);
        Signals.onEach(List.of("INT", "TERM", "HUP"), _ -> {
            if (session.stop.isStopped()) {
                System.exit(ExitCode.FAILED); // interrupted twice; shutdown hooks clean up
            }
            session.stop.stop();
        });
        return session;
    }

    StopSwitch stop() {
        return stop;
    }

    /// Runs the experiment from its first step.
    ///
    /// @param toRepeat command line that repeats it elsewhere
    /// @return the exit code
    int run(Experiment experiment, String toRepeat) {
        Path out = options.folder(experiment);
        return observed(line -> {
            line.note(experiment.name() + ", " + LabText.summary(experiment) + ", into " + out);
            options.roundedUp().ifPresent(line::note);
            if (options.limit(experiment) == null) {
                line.willTake(experiment.estimate());
            }
            LabText.tooShort(experiment, options.limit(experiment)).ifPresent(line::note);
            return LabRun.run(request(experiment, out, toRepeat), options.instruments(), line, stop);
        });
    }

    /// Resumes the run in a folder.
    int resume(Path folder) {
        Experiment own = LabRun.experimentOf(folder);
        return observed(line -> LabRun.resumed(
                request(own, folder, RunRecord.read(folder).command()), options.instruments(), line, stop));
    }

    private RunRequest request(Experiment experiment, Path folder, String toRepeat) {
        return new RunRequest(
                experiment,
                options.limit(experiment),
                folder,
                options.work(),
                kvant.command(),
                kvant.obstacle(),
                toRepeat,
                ThisKvant.identity());
    }

    /// @param run executes the experiment and shows its progress
    private int observed(Function<LabLine, LabRun.Outcome> run) {
        LabRun.Outcome outcome;
        try (LabLine line = new LabLine(new ProgressLine(err, Terminal.isInteractive()))) {
            BusyHost.warn(stop::sleep, line::note);
            outcome = run.apply(line);
        } catch (ServerException e) {
            throw new UserException("no variant can be started: " + Remarks.english(e.reason()), e);
        }
        return explained(outcome);
    }

    private int explained(LabRun.Outcome outcome) {
        outcome.missing()
                .forEach(one -> err.println(
                        "kvant: missing: " + Remarks.english(one.what()) + ": " + Remarks.english(one.why())));
        answers(outcome.folder()).forEach(answer -> err.println("kvant: " + answer));
        @Nullable Remark partial = outcome.partialReason();
        if (partial != null) {
            err.println("kvant: the results are partial: " + Remarks.english(partial) + " ('kvant lab run --resume "
                    + outcome.folder() + "' continues)");
        }
        err.flush();
        out.println(Study.page(outcome.folder()));
        out.flush();
        return partial == null ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static List<String> answers(Path folder) {
        try {
            return Study.outlook(folder, Double.NaN).stream()
                    .map(LabText::answer)
                    .toList();
        } catch (UserException _) {
            return List.of(); // the reason was already printed
        }
    }

    /// The additional analysis of a run.
    ///
    /// @param languages of the report
    record LabInstruments(List<Language> languages) implements Instruments {

        @Override
        public List<Undecided> undecided(Path folder) {
            return Study.outlook(folder, Double.NaN).stream()
                    .filter(PowerEstimate.Forecast::open)
                    .map(one -> new Undecided(
                            one.question().id(),
                            one.verdict().a(),
                            one.verdict().b(),
                            one.verdict().phase(),
                            one.margin(),
                            one.sequentialRounds() == 0
                                    ? 0
                                    : Math.max(Step.ROUNDS, one.sequentialRounds() - one.rounds()),
                            one.verdict()
                                    .host()
                                    .map(host -> host.leftOut() ? host.n() : 0)
                                    .orElse(0)))
                    .toList();
        }

        @Override
        public void report(Path folder) {
            Study.report(folder, languages);
        }
    }
}
