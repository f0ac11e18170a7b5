package kvant.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import kvant.text.Units;

/// Backs up a directory in which nothing changes: a checkpoint.
///
/// Files are written first and their list last. An interrupted backup has no list and therefore does not count; the
/// next one reuses the files that it copied. Tables are immutable: a table that an earlier backup has under the same
/// name, with the same size and the same [Hashes#ofEnds], is not even read.
public final class BackupWriter {

    /// Turns a directory into a data directory, so it is restored last.
    static final String LAST_FILE = "KVANT";

    static final DateTimeFormatter ID =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final long PROGRESS_NANOS = Duration.ofSeconds(1).toNanos();

    /// The outcome of a backup.
    ///
    /// @param copiedFiles number of files that no earlier backup had
    public record Result(Backup backup, int copiedFiles, long copiedBytes) {}

    private record Known(String path, long bytes, String ends) {}

    private final ObjectStore store;
    private final TargetLock lock;
    private final Clock clock;
    private final Consumer<String> progress;
    private final Map<Known, String> known = new HashMap<>();
    private Map<String, Long> present = Map.of();
    private int copiedFiles;
    private long copiedBytes;
    private long lastLineNanos = System.nanoTime();

    /// @param lock of the store; if another process has taken it over, no list is written
    /// @param clock its time becomes the id of the backup: every earlier write is in the backup
    /// @param progress receives a readable line about once a second
    public BackupWriter(ObjectStore store, TargetLock lock, Clock clock, Consumer<String> progress) {
        this.store = store;
        this.lock = lock;
        this.clock = clock;
        this.progress = progress;
    }

    /// @param engine stable name of the engine that wrote it
    public Result write(Path directory, String engine) throws IOException {
        Catalog catalog = Catalog.read(store);
        present = new HashMap<>(store.list(BackupFormat.FILES));
        for (Backup backup : catalog.backups()) {
            for (Backup.Stored file : backup.files()) {
                known.put(new Known(file.path(), file.bytes(), file.ends()), file.sha256());
            }
        }
        List<Backup.Stored> files = new ArrayList<>();
        for (String path : paths(directory)) {
            files.add(store(directory.resolve(path), path));
        }
        Backup backup = new Backup(nextId(catalog), engine, files);
        lock.requireHeld("this backup is not complete; run it again");
        store.put(BackupFormat.list(backup.id()), BackupFormat.encode(backup));
        // From now on a new lock holder sees the list. One that took the lock just before may have deleted files.
        lock.requireHeld("backup " + backup.id() + " may lack files; 'kvant backup verify' tells");
        return new Result(backup, copiedFiles, copiedBytes);
    }

    private static List<String> paths(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString())
                    .sorted(Comparator.comparing((String path) -> path.equals(LAST_FILE))
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
        }
    }

    private Backup.Stored store(Path file, String path) throws IOException {
        long bytes = Files.size(file);
        String ends = Hashes.ofEnds(file);
        String earlier = isImmutable(path) ? known.get(new Known(path, bytes, ends)) : null;
        String sha256 = earlier != null && isPresent(earlier, bytes) ? earlier : Hashes.of(file);
        if (!isPresent(sha256, bytes)) {
            store.put(BackupFormat.file(sha256), file, sha256);
            present.put(sha256, bytes);
            copiedFiles++;
            copiedBytes += bytes;
            sayNowAndThen();
        }
        return new Backup.Stored(path, bytes, sha256, ends);
    }

    /// True for tables and value files, of either engine.
    private static boolean isImmutable(String path) {
        return path.endsWith(".table") || path.endsWith(".values") || path.endsWith(".sst");
    }

    private boolean isPresent(String sha256, long bytes) {
        return present.getOrDefault(sha256, -1L) == bytes;
    }

    /// An id larger than all existing ones, even if the clock was set back.
    private String nextId(Catalog catalog) {
        String now = ID.format(clock.instant());
        String newest = catalog.newest();
        return now.compareTo(newest) > 0
                ? now
                : ID.format(ID.parse(newest, Instant::from).plusMillis(1));
    }

    private void sayNowAndThen() {
        if (System.nanoTime() - lastLineNanos > PROGRESS_NANOS) {
            lastLineNanos = System.nanoTime();
            progress.accept("copied " + Units.bytes(copiedBytes));
        }
    }
}
