package kvant.lab.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import kvant.lab.LabException;
import kvant.lab.study.folder.Results;

/// The part of a folder of results that is worth a place among the documents of a project: the report
/// and the flame graphs that explain most, up to a size. Recordings and logs stay where they are.
final class Publication {

    /// Of all flame graphs together.
    private static final long MOST_BYTES = 1 << 20;

    private final Path from;
    private final Path to;

    Publication(Path from, Path to) {
        this.from = from;
        this.to = to;
    }

    /// Copies the graphs that fit.
    ///
    /// @return the results that a published report tells of
    /// @throws LabException in one line, where the folder is not new, or cannot be written
    Results copy(Results results) {
        List<String> kept = new ArrayList<>();
        try {
            create();
            long bytes = 0;
            for (String graph : results.graphs()) {
                long size = Files.size(from.resolve(graph));
                if (bytes + size <= MOST_BYTES) {
                    bytes += size;
                    kept.add(graph);
                    Path copy = to.resolve(graph);
                    Files.createDirectories(copy.resolveSibling(""));
                    Files.copy(from.resolve(graph), copy);
                }
            }
        } catch (IOException e) {
            throw new LabException("cannot publish into " + to + ": " + e.getMessage(), e);
        }
        return results.withGraphs(kept::contains);
    }

    /// What is there already is not of this run.
    private void create() throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> entries = Files.list(to)) {
            if (entries.findAny().isPresent()) {
                throw new LabException(to + " is not empty: choose a new folder to publish into");
            }
        }
    }
}
