package kvant.lab.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import kvant.report.Languages;
import kvant.report.Study;
import kvant.text.ExitCode;
import kvant.text.UserException;
import kvant.text.command.SizeOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `kvant lab report`: writes the report of a folder of results, again or in another language.
@Command(
        name = "report",
        description = "Write the report of a folder of results: report.html, report.md, report.json.",
        sortOptions = false,
        footer = {
            "",
            "The report of a run that was stopped has what was measured until then.",
            "Exit codes: 0 written; 1 no results there, or a file cannot be written;",
            "2 wrong command line."
        })
final class LabReportCommand implements Callable<Integer> {

    private static final long USUAL_FLAME_BYTES = 20 << 20;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "DIR", description = "A folder that 'kvant lab run' made.")
    private Path folder = Path.of("");

    @Option(
            names = "--lang",
            paramLabel = "L,...",
            description = "Languages: en (always written), ru (report.ru.html, report.ru.md).")
    private String languages = "en";

    @Option(
            names = "--publish",
            paramLabel = "DEST",
            description = "Write it into this new folder instead, as one page that stands alone and its JSON, without"
                    + " flame graphs.")
    private @Nullable Path destination;

    @Option(
            names = "--flames",
            description = "With '--publish': flame graphs and their differences too, beside the page.")
    private boolean flames;

    @Option(
            names = "--flames-at-most",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "How large they may be together (default: 20MiB).")
    private @Nullable Long mostFlameBytes;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        written().forEach(out::println);
        if (out.checkError()) { // a full disk or a closed pipe shows only here
            throw new UserException("cannot write all of the result to stdout");
        }
        return ExitCode.DONE;
    }

    private List<Path> written() {
        if (destination == null && flames) {
            throw new ParameterException(spec.commandLine(), "'--flames' needs '--publish'");
        }
        if (mostFlameBytes != null && !flames) {
            throw new ParameterException(spec.commandLine(), "'--flames-at-most' needs '--flames'");
        }
        if (destination == null) {
            return Study.report(folder, chosen());
        }
        return flames
                ? Study.publishWithFlames(folder, destination, chosen(), orUsual(mostFlameBytes))
                : Study.publish(folder, destination, chosen());
    }

    private static long orUsual(@Nullable Long given) {
        return given == null ? USUAL_FLAME_BYTES : given;
    }

    private Languages chosen() {
        try {
            return Languages.parse(languages);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "'--lang': " + e.getMessage(), e);
        }
    }
}
