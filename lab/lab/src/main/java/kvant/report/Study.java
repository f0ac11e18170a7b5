package kvant.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import kvant.report.folder.ResultFolder;
import kvant.report.folder.Results;
import kvant.report.page.Content;
import kvant.report.page.HtmlPage;
import kvant.report.page.MarkdownPage;
import kvant.report.page.ReportJson;
import kvant.report.verdict.Answer;
import kvant.report.verdict.Frames;
import kvant.report.verdict.Judge;
import kvant.report.verdict.Outlook;
import kvant.report.verdict.Verdict;
import kvant.report.words.Language;
import kvant.report.words.Words;
import kvant.text.UserException;

/// Makes `report.html`, `report.md` and `report.json` of a folder of results, complete or not.
public final class Study {

    private Study() {}

    /// @return what was written
    /// @throws UserException in one line, where the folder holds no results or cannot be written to
    public static List<Path> report(Path folder, Languages languages) {
        Results results = ResultFolder.read(folder);
        List<Answer> answers = Judge.answers(results, Frames.onClassPath());
        List<Path> written = new ArrayList<>();
        for (Language language : languages.all()) {
            Content content = Content.of(results, answers, new Words(language));
            written.add(write(folder.resolve(name(language) + ".html"), HtmlPage.of(content)));
            written.add(write(folder.resolve(name(language) + ".md"), MarkdownPage.of(content)));
        }
        written.add(json(results, answers, folder));
        return written;
    }

    /// What a person opens: the report of a folder of results, or the folder where there is none.
    public static Path page(Path folder) {
        Path page = folder.resolve(name(Language.EN) + ".html");
        return Files.exists(page) ? page : folder;
    }

    /// How many rounds the questions of a folder of results take.
    ///
    /// @param margin the difference that is to be seen, as a share; NaN for that of each question
    /// @throws UserException in one line, where the folder holds no results
    public static List<Outlook.Forecast> outlook(Path folder, double margin) {
        return Outlook.of(ResultFolder.read(folder), Frames.onClassPath(), margin);
    }

    /// What the questions of a folder of results are answered with, in their order.
    ///
    /// @throws UserException in one line, where the folder holds no results
    public static List<Verdict> verdicts(Path folder) {
        return Judge.answers(ResultFolder.read(folder), Frames.onClassPath()).stream()
                .flatMap(answer -> answer.verdicts().stream())
                .toList();
    }

    /// Writes the report into a new folder, as one page for each language that stands alone, and
    /// `report.json`: what can be kept among documents.
    ///
    /// @return what was written
    /// @throws UserException in one line, also where the other folder is not empty
    public static List<Path> publish(Path folder, Path destination, Languages languages) {
        return publish(ResultFolder.read(folder).withoutGraphs(), destination, languages);
    }

    /// The same with flame graphs and their differences, which the pages lead to.
    ///
    /// @param mostBytes of all graphs together
    /// @return what was written, without the graphs
    /// @throws UserException in one line, also where the graphs are larger
    public static List<Path> publishWithFlames(Path folder, Path destination, Languages languages, long mostBytes) {
        Results results = ResultFolder.read(folder);
        Set<String> graphs = Publication.graphs(results);
        Publication.requireAtMost(folder, graphs, mostBytes);
        List<Path> written = publish(results, destination, languages);
        Publication.copy(folder, graphs, destination);
        return written;
    }

    private static List<Path> publish(Results results, Path destination, Languages languages) {
        Publication.create(destination);
        List<Answer> answers = Judge.answers(results, Frames.onClassPath());
        List<Path> written = new ArrayList<>();
        for (Language language : languages.all()) {
            String page = HtmlPage.of(Content.of(results, answers, new Words(language)));
            written.add(write(destination.resolve(name(language) + ".html"), page));
        }
        written.add(json(results, answers, destination));
        return written;
    }

    private static String name(Language language) {
        return language == Language.EN ? "report" : "report." + language.tag();
    }

    private static Path json(Results results, List<Answer> answers, Path folder) {
        return write(folder.resolve("report.json"), ReportJson.of(results, answers, new Words(Language.EN)));
    }

    /// Whoever reads the file meanwhile sees the old one or the new one.
    private static Path write(Path file, String text) {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(aside, text, StandardCharsets.UTF_8);
            return Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (AccessDeniedException e) {
            throw new UserException("cannot write " + file + ": no permission", e);
        } catch (IOException e) {
            throw new UserException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
