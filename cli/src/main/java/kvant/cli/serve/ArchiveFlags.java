package kvant.cli.serve;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import kvant.archive.ArchiveOptions;
import kvant.archive.ArchivedStore;
import kvant.archive.Archiver;
import kvant.backup.s3.S3Store;
import kvant.cli.engine.EngineKind;
import kvant.cli.engine.LsmFlags;
import kvant.cli.engine.PassingCheckpoint;
import kvant.cli.engine.TargetPlace;
import kvant.engine.Inspection.Figure;
import kvant.engine.directory.ExaminedDirectory;
import kvant.engine.feed.ChangeFeed;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.operate.StoreInspection;
import kvant.text.command.OptionGroups.Heading;
import kvant.text.command.SizeOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of a node that archives its store.
@Heading("Archive")
final class ArchiveFlags {

    private static final long DEFAULT_BACKLOG_BYTES = 4L << 30;
    private static final int LONGEST_KEEP_DAYS = 36_500;
    private static final double SHORTEST_INTERVAL = 0.1;
    private static final double LONGEST_INTERVAL = 3_600;
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(
            names = "--archive",
            paramLabel = "TARGET",
            description =
                    "Keep a second copy that follows each write and can be restored to any second: a directory, or"
                            + " s3://BUCKET/PREFIX (engine lsm).")
    private @Nullable String target;

    @Option(names = "--archive-endpoint", paramLabel = "URL", description = TargetPlace.ENDPOINT)
    private @Nullable URI endpoint;

    @Option(
            names = "--archive-interval",
            paramLabel = "SECONDS",
            description = "Longest delay of a write on its way to the archive, 0.1 to 3600 (default: 1).")
    private @Nullable Double interval;

    @Option(
            names = "--archive-keep",
            paramLabel = "DAYS",
            description = "Days that can be restored to any second (default: 7).")
    private @Nullable Integer keep;

    @Option(
            names = "--archive-backlog",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description =
                    "Logs held while TARGET is unavailable; with more the archive gets a gap and a new base; at least"
                            + " two memtables (default: 4GiB).")
    private @Nullable Long backlog;

    @Option(
            names = "--archive-ack",
            description = "Acknowledge writes after TARGET has them: no loss, at the latency of TARGET.")
    private boolean ack;

    @Option(names = "--archive-take-over", description = "Continue although TARGET is the archive of another store.")
    private boolean takeOver;

    boolean isOn() {
        return target != null;
    }

    /// @return the reason why the options are invalid, or null
    @Nullable
    String obstacle(EngineKind engine, Path data) {
        if (target == null) {
            return null;
        }
        if (engine != EngineKind.LSM) {
            return "'--archive' needs '--engine lsm'";
        }
        if (target.isEmpty()) {
            return "'--archive' needs a value";
        }
        if (!S3Store.isUrl(target) && MirrorFlags.real(Path.of(target)).startsWith(MirrorFlags.real(data))) {
            return "'--archive' lies in the data directory itself";
        }
        if (interval != null && !(interval >= SHORTEST_INTERVAL && interval <= LONGEST_INTERVAL)) {
            return "'--archive-interval' is 0.1 to 3600 seconds";
        }
        return keep != null && (keep < 1 || keep > LONGEST_KEEP_DAYS) ? "'--archive-keep' is 1 or more days" : null;
    }

    /// Makes the engine retain logs for the archive.
    ///
    /// @throws IllegalArgumentException when the backlog is too small
    LsmOptions applyTo(LsmOptions options) {
        if (target == null) {
            return options;
        }
        long bytes = backlog == null ? DEFAULT_BACKLOG_BYTES : backlog;
        return options.with(
                o -> o.heldLogBytes = LsmFlags.twoMemtables("'--archive-backlog' is", bytes, o.memtableBytes));
    }

    /// Begins to archive a store, if asked to. Needs neither the target nor a network at this moment: both are tried
    /// again.
    @Nullable
    Archiver start(@Nullable LsmEngine engine, Path data) {
        if (target == null || engine == null) {
            return null;
        }
        ArchiveOptions options = ArchiveOptions.DEFAULT.with(o -> {
            o.interval = interval == null ? o.interval : Duration.ofNanos((long) (interval * NANOS_PER_SECOND));
            o.keep = keep == null ? o.keep : Duration.ofDays(keep);
            o.takeOver = takeOver;
            o.ack = ack;
        });
        TargetPlace place = new TargetPlace(target, endpoint, true);
        Archiver archiver =
                new Archiver(place, new ServedStore(data.toAbsolutePath(), engine), options, Clock.systemUTC());
        engine.accompany(archiver);
        archiver.start();
        return archiver;
    }

    /// The store of a node, for the archiver.
    private record ServedStore(Path data, LsmEngine engine) implements ArchivedStore {

        @Override
        public ChangeFeed changes() {
            return engine.changes();
        }

        /// A base is a backup, and is recorded as one.
        @Override
        public void checkpoint(Work work) throws IOException {
            try (PassingCheckpoint passing = PassingCheckpoint.in(data)) {
                Instant begun = Instant.now();
                Objects.requireNonNull(engine.maintenance()).checkpoint(passing.path(), _ -> {});
                work.with(passing.path(), version(passing.path()));
                passing.noteBackup(begun);
            }
        }

        /// A checkpoint has no logs: its tables hold everything, up to this version.
        private static long version(Path checkpoint) {
            try (ExaminedDirectory directory = ExaminedDirectory.open(checkpoint)) {
                return (long) StoreInspection.of(directory).figures().stream()
                        .filter(figure -> figure.name().equals("flushed_sequence"))
                        .mapToDouble(Figure::value)
                        .max()
                        .orElseThrow();
            }
        }
    }
}
