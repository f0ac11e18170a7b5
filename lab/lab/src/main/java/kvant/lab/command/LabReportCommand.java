package kvant.lab.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import kvant.report.Study;
import kvant.report.words.Words.Language;
import kvant.text.ExitCode;
import kvant.text.UserException;
import kvant.text.command.SizeOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `kvant lab report`: writes the report of a result folder again, or in another language.
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
final class LabReportCommand extends LabAction {

    private static final long USUAL_FLAME_BYTES = 20 << 20;

    @Parameters(index = "0", paramLabel = "DIR", description = "Folder of results by 'kvant lab run'.")
    private Path folder = Path.of("");

    @Option(
            names = "--lang",
            paramLabel = "L,...",
            description = "Languages: en (always written), ru (report.ru.html, report.ru.md).")
    private String languages = "en";

    @Option(
            names = "--publish",
            paramLabel = "DEST",
            description = "Write a self-contained page and its JSON into this new folder, without flame graphs.")
    private @Nullable Path destination;

    @Option(
            names = "--flames",
            description = "With '--publish': flame graphs and their differences too, next to the page.")
    private boolean flames;

    @Option(
            names = "--flames-at-most",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Total size of the flame graphs (default: 20MiB).")
    private @Nullable Long mostFlameBytes;

    @Override
    public Integer call() {
        PrintWriter out = out();
        written().forEach(out::println);
        if (out.checkError()) { // shows a full disk or a closed pipe
            throw new UserException("cannot write all of the result to stdout");
        }
        return ExitCode.DONE;
    }

    private List<Path> written() {
        if (destination == null && flames) {
            throw wrong("'--flames' needs '--publish'");
        }
        if (mostFlameBytes != null && !flames) {
            throw wrong("'--flames-at-most' needs '--flames'");
        }
        List<Language> chosen = parsed("--lang", languages, Language::list);
        if (destination == null) {
            return Study.report(folder, chosen);
        }
        long most = mostFlameBytes == null ? USUAL_FLAME_BYTES : mostFlameBytes;
        return Study.publish(folder, destination, chosen, flames ? most : -1);
    }
}
