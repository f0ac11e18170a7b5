package kvant.lab.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import kvant.lab.profile.ProfileEvent;
import kvant.lab.profile.Profiler;
import kvant.text.ExitCode;
import kvant.text.UserException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `kvant profile diff`: two profiles, and which frames have more or less of the second.
@Command(
        name = "diff",
        description = "Compare two profiles: a flame graph of the difference for each event that both have.",
        sortOptions = false,
        footer = {
            "",
            "DIR gets diff-A-B-EVENT.html and .json, which lists the frames that differ",
            "most. Exit codes: 0 compared, 1 not compared (the reason is on stderr), 2",
            "wrong command line."
        })
final class ProfileDiffCommand extends LabAction {

    @Parameters(index = "0", paramLabel = "A", description = "Directory of the profile to compare with.")
    private Path a = Path.of("");

    @Parameters(index = "1", paramLabel = "B", description = "Directory of the profile that may differ.")
    private Path b = Path.of("");

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "Where the files go (default: here).")
    private Path folder = Path.of("");

    @Override
    public Integer call() {
        PrintWriter out = out();
        int compared = 0;
        for (ProfileEvent event : ProfileEvent.values()) {
            Path left = a.resolve(event.label() + ".collapsed");
            Path right = b.resolve(event.label() + ".collapsed");
            if (holdsStacks(left) && holdsStacks(right)) {
                String name = "diff-" + name(a) + "-" + name(b) + "-" + event.label();
                Path html = folder.resolve(name + ".html");
                Profiler.difference(left, name(a), right, name(b), event, html, folder.resolve(name + ".json"));
                out.println(html);
                compared++;
            }
        }
        out.flush();
        if (compared == 0) {
            throw new UserException("no event has samples in both " + a + " and " + b + ": are these profiles?");
        }
        return ExitCode.DONE;
    }

    private static boolean holdsStacks(Path collapsed) {
        return collapsed.toFile().length() > 0; // 0 for what does not exist
    }

    private static String name(Path profile) {
        return String.valueOf(profile.toAbsolutePath().normalize().getFileName());
    }
}
