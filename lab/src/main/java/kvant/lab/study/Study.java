package kvant.lab.study;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import kvant.lab.LabException;
import kvant.lab.study.folder.ResultFolder;
import kvant.lab.study.folder.Results;
import kvant.lab.study.page.Content;
import kvant.lab.study.page.HtmlPage;
import kvant.lab.study.page.MarkdownPage;
import kvant.lab.study.page.ReportJson;
import kvant.lab.study.verdict.Answer;
import kvant.lab.study.verdict.Judge;
import kvant.lab.study.words.Language;
import kvant.lab.study.words.Words;

/// Makes `report.html`, `report.md` and `report.json` of a folder of results, complete or not.
public final class Study {

    private Study() {}

    /// @return what was written
    /// @throws LabException in one line, where the folder holds no results or cannot be written to
    public static List<Path> report(Path folder, Languages languages) {
        return write(ResultFolder.read(folder), folder, languages);
    }

    /// Writes the report into a new folder, with the flame graphs that it needs most and nothing else:
    /// a small copy that can stand among documents.
    ///
    /// @return what was written of the report itself
    /// @throws LabException in one line, also where the other folder is not empty
    public static List<Path> publish(Path folder, Path destination, Languages languages) {
        Results results = ResultFolder.read(folder);
        return write(new Publication(folder, destination).copy(results), destination, languages);
    }

    private static List<Path> write(Results results, Path folder, Languages languages) {
        List<Answer> answers = Judge.answers(results);
        List<Path> written = new ArrayList<>();
        for (Language language : languages.all()) {
            Content content = Content.of(results, answers, new Words(language));
            String infix = language == Language.EN ? "" : "." + language.tag();
            written.add(write(folder.resolve("report" + infix + ".html"), HtmlPage.of(content)));
            written.add(write(folder.resolve("report" + infix + ".md"), MarkdownPage.of(content)));
        }
        written.add(write(folder.resolve("report.json"), ReportJson.of(results, answers, new Words(Language.EN))));
        return written;
    }

    /// Whoever reads the file meanwhile sees the old one or the new one.
    private static Path write(Path file, String text) {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(aside, text, StandardCharsets.UTF_8);
            return Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (AccessDeniedException e) {
            throw new LabException("cannot write " + file + ": no permission", e);
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
