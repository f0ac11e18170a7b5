package kvant.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import kvant.report.folder.Profile;
import kvant.report.folder.Results;
import kvant.text.Units;
import kvant.text.UserException;

/// The new folder that a report is published into: one page that stands alone, and its JSON. Recordings and logs stay
/// with the run, and flame graphs too unless they are asked for, because all of them can be made again.
final class Publication {

    private Publication() {}

    /// @throws UserException in one line, where the folder is not new, or cannot be made
    static void create(Path folder) {
        try {
            Files.createDirectories(folder);
            try (Stream<Path> entries = Files.list(folder)) {
                if (entries.findAny().isPresent()) { // what is there already is not of this run
                    throw new UserException(folder + " is not empty: choose a new folder to publish into");
                }
            }
        } catch (IOException e) {
            throw new UserException("cannot publish into " + folder + ": " + e.getMessage(), e);
        }
    }

    /// The files that a page of these results leads to, relative to their folder: flame graphs, and those of
    /// differences.
    static Set<String> graphs(Results results) {
        Set<String> graphs = new LinkedHashSet<>();
        for (Profile profile : results.profiles()) {
            for (Profile.Event event : profile.events()) {
                if (!event.html().isEmpty()) {
                    graphs.add(profile.folder() + "/" + event.html());
                }
            }
        }
        results.differences().stream()
                .map(Profile.Difference::html)
                .filter(html -> !html.isEmpty())
                .forEach(graphs::add);
        return graphs;
    }

    /// Nothing has been written yet: a part of the graphs would be links that lead nowhere.
    ///
    /// @throws UserException in one line, where the files are larger together
    static void requireAtMost(Path folder, Set<String> graphs, long bytes) {
        long size = 0;
        try {
            for (String graph : graphs) {
                size += Files.size(folder.resolve(graph));
            }
        } catch (IOException e) {
            throw new UserException("cannot read the flame graphs of " + folder + ": " + e.getMessage(), e);
        }
        if (size > bytes) {
            throw new UserException("the flame graphs of " + folder + " have " + Units.bytes(size) + ", and at most "
                    + Units.bytes(bytes) + " are published ('--flames-at-most')");
        }
    }

    /// @throws UserException in one line, where a file cannot be read or written
    static void copy(Path folder, Set<String> graphs, Path destination) {
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
}
