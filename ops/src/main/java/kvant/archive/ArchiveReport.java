package kvant.archive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import kvant.backup.Backup;
import kvant.backup.Catalog;
import kvant.backup.ObjectStore;
import kvant.text.UserException;

/// What of an archive can be restored.
///
/// @param bases of the line, oldest first
/// @param spans without a gap, oldest first
/// @param by host and process that wrote it last; empty where nobody has
public record ArchiveReport(List<Base> bases, List<Span> spans, long newest, String by) {

    /// Versions each of which can be restored, from that of a base on.
    ///
    /// @param toMillis time of the last change
    public record Span(long from, long to, long fromMillis, long toMillis, int objects, long bytes) {}

    public static ArchiveReport of(ArchiveIndex index) {
        List<Base> bases = index.usableBases();
        List<Span> spans = new ArrayList<>();
        for (Base base : bases) {
            if (!spans.isEmpty() && base.version() <= spans.getLast().to()) {
                continue; // within the last one
            }
            ArchiveIndex.Cover cover = index.cover(base.version());
            long bytes = 0;
            long toMillis = base.millis();
            for (ArchiveIndex.Step step : cover.steps()) {
                bytes += step.object().bytes();
                toMillis = step.object().lastMillis();
            }
            spans.add(new Span(
                    base.version(),
                    cover.end(),
                    base.millis(),
                    toMillis,
                    cover.steps().size(),
                    bytes));
        }
        String by = index.line().isEmpty() ? "" : index.line().getLast().by();
        return new ArchiveReport(bases, spans, index.newest(), by);
    }

    /// Whether the newest version can be restored.
    public boolean isWhole() {
        return !spans.isEmpty() && spans.getLast().to() >= newest;
    }

    /// Reads all of it through and compares checksums. Changes nothing.
    ///
    /// @param problem gets a line for each
    /// @return how many there are
    public static int verify(ArchivePlace place, Consumer<String> problem) throws IOException {
        int problems = 0;
        try (ObjectStore store = place.open("");
                ObjectStore backups = place.open(ArchiveFormat.BACKUPS)) {
            ArchiveIndex index = ArchiveIndex.read(store, 0);
            for (ArchiveIndex.Step step : index.lineObjects()) {
                try {
                    RestorePlan.read(store, step.object(), (RestorePlan.Groups) (_, _) -> {});
                } catch (UserException e) {
                    boolean isMerged = RestorePlan.isMissing(e)
                            && !ArchiveIndex.read(store, 0).objects().contains(step.object());
                    if (!isMerged) {
                        problem.accept(e.getMessage());
                        problems++;
                    }
                }
            }
            Catalog catalog = Catalog.read(backups);
            List<Backup> sound = new ArrayList<>();
            for (Base base : index.usableBases()) {
                try {
                    sound.add(catalog.find(base.id(), backups));
                } catch (UserException e) {
                    problem.accept(e.getMessage());
                    problems++;
                }
            }
            problems += Catalog.verify(backups, sound, problem);
            ArchiveReport report = of(index);
            if (!report.isWhole()) {
                problem.accept("the newest version " + report.newest() + " cannot be restored: "
                        + (report.spans().isEmpty()
                                ? "there is no base"
                                : "what follows version "
                                        + report.spans().getLast().to() + " is missing"));
                problems++;
            }
        }
        return problems;
    }
}
