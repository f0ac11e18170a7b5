package kvant.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import kvant.report.folder.ResultFolder;
import kvant.report.folder.Results;
import kvant.report.page.Content;
import kvant.report.page.HtmlPage;
import kvant.report.page.MarkdownPage;
import kvant.report.page.ReportJson;
import kvant.report.verdict.Frames;
import kvant.report.verdict.Judge;
import kvant.report.verdict.PowerEstimate;
import kvant.report.verdict.Verdict.Answer;
import kvant.report.words.Words;
import kvant.report.words.Words.Language;
import kvant.text.Units;
import kvant.text.UserException;

/// Creates `report.html`, `report.md` and `report.json` for a result folder, complete or not.
public final class Study {

    private Study() {}

    /// @return the written files
    /// @throws UserException in one line, when the folder holds no results or is not writable
    public static List<Path> report(Path folder, List<Language> languages) {
        return write(ResultFolder.read(folder), folder, languages, true);
    }

    /// The page to open: the report of a result folder, or the folder if there is no report.
    public static Path page(Path folder) {
        Path page = folder.resolve(name(Language.EN) + ".html");
        return Files.exists(page) ? page : folder;
    }

    /// Estimates the number of rounds for the questions of a result folder.
    ///
    /// @param margin smallest relevant difference, as a share; NaN for that of each question
    /// @throws UserException in one line, when the folder holds no results
    public static List<PowerEstimate.Forecast> outlook(Path folder, double margin) {
        return PowerEstimate.of(ResultFolder.read(folder), Frames.onClassPath(), margin);
    }

    /// Writes the report for publication to a new folder: `report.json`, and a self-contained page for each language.
    ///
    /// @param mostFlameBytes maximum total size of the flame graphs and their differences, which are linked from
    ///     the pages; negative without them
    /// @return the written files, without the graphs
    /// @throws UserException in one line, also when the other folder is not empty, or the graphs are larger
    public static List<Path> publish(Path folder, Path destination, List<Language> languages, long mostFlameBytes) {
        Results results = ResultFolder.read(folder, mostFlameBytes >= 0);
        Set<String> graphs = mostFlameBytes >= 0 ? graphs(results) : Set.of();
        requireAtMost(folder, graphs, mostFlameBytes);
        create(destination);
        List<Path> written = write(results, destination, languages, false);
        copy(folder, graphs, destination);
        return written;
    }

    /// @param markdown whether each page is also written as Markdown
    private static List<Path> write(Results results, Path folder, List<Language> languages, boolean markdown) {
        List<Answer> answers = Judge.answers(results, Frames.onClassPath());
        List<Path> written = new ArrayList<>();
        for (Language language : languages) {
            Content content = Content.of(results, answers, new Words(language));
            written.add(write(folder.resolve(name(language) + ".html"), HtmlPage.of(content)));
            if (markdown) {
                written.add(write(folder.resolve(name(language) + ".md"), MarkdownPage.of(content)));
            }
        }
        String json = ReportJson.of(results, answers, new Words(Language.EN));
        written.add(write(folder.resolve("report.json"), json));
        return written;
    }

    private static String name(Language language) {
        return language == Language.EN ? "report" : "report." + language.tag();
    }

    /// Creates the new folder of a publication. Recordings and logs stay with the run. Flame graphs are only included
    /// on request, because they can be generated again.
    ///
    /// @throws UserException in one line, when the folder is not empty, or cannot be created
    private static void create(Path folder) {
        try {
            Files.createDirectories(folder);
            try (Stream<Path> entries = Files.list(folder)) {
                if (entries.findAny().isPresent()) { // existing files are not from this run
                    throw new UserException(folder + " is not empty: choose a new folder to publish into");
                }
            }
        } catch (IOException e) {
            throw new UserException("cannot publish into " + folder + ": " + e.getMessage(), e);
        }
    }

    /// The flame graphs and difference graphs linked from a page of these results, relative to their folder.
    private static Set<String> graphs(Results results) {
        Set<String> graphs = new LinkedHashSet<>();
        results.profiles().forEach(profile -> profile.events().forEach(event -> graphs.add(event.html())));
        results.differences().forEach(difference -> graphs.add(difference.html()));
        graphs.remove("");
        return graphs;
    }

    /// Checked before anything is written, because only some of the graphs would mean broken links.
    ///
    /// @throws UserException in one line, when the files are larger in total
    private static void requireAtMost(Path folder, Set<String> graphs, long bytes) {
        long size = 0;
        try {
            for (String graph : graphs) {
                size += Files.size(folder.resolve(graph));
            }
        } catch (IOException e) {
            throw new UserException("cannot read the flame graphs of " + folder + ": " + e.getMessage(), e);
        }
        if (!graphs.isEmpty() && size > bytes) {
            throw new UserException("the flame graphs of " + folder + " have " + Units.bytes(size) + ", and at most "
                    + Units.bytes(bytes) + " are published ('--flames-at-most')");
        }
    }

    /// @throws UserException in one line, when a file cannot be read or written
    private static void copy(Path folder, Set<String> graphs, Path destination) {
        try {
            for (String graph : graphs) {
                Path to = destination.resolve(graph);
                Files.createDirectories(Objects.requireNonNull(to.getParent()));
                Files.copy(folder.resolve(graph), to);
            }
        } catch (IOException e) {
            throw new UserException("cannot copy the flame graphs into " + destination + ": " + e.getMessage(), e);
        }
    }

    /// Replaces the file atomically: a concurrent reader sees the old or the new one.
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
