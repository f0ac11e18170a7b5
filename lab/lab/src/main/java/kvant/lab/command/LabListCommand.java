package kvant.lab.command;

import java.io.PrintWriter;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Scale;
import kvant.lab.experiment.Shipped;
import kvant.text.ExitCode;
import picocli.CommandLine.Command;

/// `kvant lab list`: the experiments that come with Kvant.
@Command(name = "list", description = "List the experiments that come with Kvant.")
final class LabListCommand extends LabAction {

    @Override
    public Integer call() {
        PrintWriter out = out();
        for (String name : Shipped.names()) {
            Shipped shipped = Shipped.find(name);
            Experiment full = shipped.read(Scale.FULL);
            out.printf("%s  %-18s %s%n", full.letter(), full.name(), full.title());
            full.questions().stream().findFirst().ifPresent(first -> out.printf("   %-18s %s%n", "", first.text()));
            Experiment decide = shipped.read(Scale.DECIDE);
            out.printf(
                    "   %-18s about %s; with --short about %s, with --quick about %s, with --decide %s to %s%n",
                    "",
                    LabText.time(full.estimate()),
                    LabText.time(shipped.read(Scale.SHORT).estimate()),
                    LabText.time(shipped.read(Scale.QUICK).estimate()),
                    LabText.time(LabText.untilDecided(decide)),
                    LabText.time(decide.atMost()));
        }
        out.flush();
        return ExitCode.DONE;
    }
}
