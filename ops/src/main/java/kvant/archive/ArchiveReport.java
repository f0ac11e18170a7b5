package kvant.archive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import kvant.archive.ArchiveIndex.Base;
import kvant.archive.ArchiveIndex.Step;
import kvant.backup.Backup;
import kvant.backup.Catalog;
import kvant.backup.ObjectStore;
import kvant.text.UserException;

/// What an archive can restore.
///
/// @param bases of the line, oldest first
/// @param spans without a gap, oldest first
/// @param by host and process that wrote it last; empty for an archive without an epoch
public record ArchiveReport(List<Base> bases, List<Span> spans, long newest, String by) {

    /// A range of versions, from that of a base on, each of which can be restored.
    ///
    /// @param toMillis time of the last change
    public record Span(long from, long to, long fromMillis, long toMillis, int objects, long bytes) {}

    public static ArchiveReport of(ArchiveIndex index) {
        List<Base> bases = index.usableBases();
        List<Span> spans = new ArrayList<>();
        for (Base base : bases) {
            if (spans.isEmpty() || base.version() > spans.getLast().to()) { // else it is within the last one
                ArchiveIndex.Cover cover = index.cover(base.version());
                List<Step> steps = cover.steps();
                long toMillis = steps.isEmpty()
                        ? base.millis()
                        : steps.getLast().object().lastMillis();
                spans.add(new Span(base.version(), cover.end(), base.millis(), toMillis, steps.size(), cover.bytes()));
            }
        }
        String by = index.line().isEmpty() ? "" : index.line().getLast().by();
        return new ArchiveReport(bases, spans, index.newest(), by);
    }

    /// True if the newest version can be restored.
    public boolean isWhole() {
        return !spans.isEmpty() && spans.getLast().to() >= newest;
    }

    /// Reads the whole archive through and compares checksums. Changes nothing.
    ///
    /// @param problem gets a line for each problem
    /// @return how many problems there are
    public static int verify(ArchivePlace place, Consumer<String> problem) throws IOException {
        int problems = 0;
        try (ObjectStore store = place.open("");
                ObjectStore backups = place.open(ArchiveFormat.BACKUPS)) {
            ArchiveIndex index = ArchiveIndex.read(store, 0);
            for (Step step : index.lineObjects()) {
                try {
                    ArchiveRestore.read(store, step.object(), (_, _) -> {});
                } catch (UserException e) {
                    boolean isMerged = ArchiveRestore.isMissing(e)
                            && !ArchiveIndex.objects(store).contains(step.object());
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
                String why = report.spans().isEmpty()
                        ? "there is no base"
                        : "what follows version " + report.spans().getLast().to() + " is missing";
                problem.accept("the newest version " + report.newest() + " cannot be restored: " + why);
                problems++;
            }
        }
        return problems;
    }
}
