package kvant.lsm.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// The content of the file `LOGS`. A store whose logs are elsewhere has one, and the directory of these logs has
/// another: the id is the same in both and in no other pair.
///
/// Format document: docs/formats/README.md
///
/// @param id 32 hexadecimal digits
/// @param other the log directory, or in that the data directory of the store, as it was last opened
public record LogPair(String id, Path other) {

    private static final int LAYOUT = 1;
    private static final int MAX_BYTES = 64 << 10;
    private static final Pattern LINES =
            Pattern.compile("kvant logs apart\nlayout=(\\d{1,9})\n(?:id=([0-9a-f]{32})\nother=([^\n]+)\n)?(?s:.*)");

    /// A pair that there has not been.
    public static LogPair begin(RandomGenerator random, Path other) {
        return new LogPair(String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong()), other);
    }

    /// @return null where there is none
    /// @throws EngineException.Corruption when it is not what Kvant writes
    /// @throws EngineException.CannotOpen when a newer version wrote it
    public static @Nullable LogPair read(Storage directory) throws IOException {
        if (!directory.list().contains(FileNames.LOGS)) {
            return null;
        }
        String file = directory.describe(FileNames.LOGS);
        Matcher lines = LINES.matcher(text(directory));
        if (!lines.matches()) {
            throw damaged(file);
        }
        if (Integer.parseInt(lines.group(1)) != LAYOUT) {
            throw new EngineException.CannotOpen(file + " has layout " + lines.group(1) + ", this version knows layout "
                    + LAYOUT + ": use the version that wrote it");
        }
        try {
            LogPair pair = new LogPair(String.valueOf(lines.group(2)), Path.of(String.valueOf(lines.group(3))));
            if (lines.group().equals(pair.text())) {
                return pair;
            }
        } catch (InvalidPathException e) {
            if (lines.group().chars().anyMatch(c -> c > 0x7f)) {
                throw new EngineException.CannotOpen(file + " names a log directory that this JVM cannot name: "
                        + e.getMessage() + "; start it with LC_ALL=C.UTF-8");
            } // else damaged
        }
        throw damaged(file);
    }

    /// Durable when this returns.
    public void write(Storage directory) throws IOException {
        if (other.toString().contains("\n")) {
            throw new EngineException.CannotOpen(other + " has a line break in its name: choose another directory");
        }
        if (directory.list().contains(FileNames.LOGS_NEW)) { // of a crash
            directory.delete(FileNames.LOGS_NEW);
        }
        try (WritableFile file = directory.create(FileNames.LOGS_NEW)) {
            file.write(ByteBuffer.wrap(text().getBytes(StandardCharsets.UTF_8)));
            file.sync();
        }
        directory.rename(FileNames.LOGS_NEW, FileNames.LOGS);
        directory.syncDirectory();
    }

    /// Durable when this returns.
    public static void delete(Storage directory) throws IOException {
        directory.delete(FileNames.LOGS);
        directory.syncDirectory();
    }

    /// The logs in a directory, which has to be the one of this pair. Creates nothing: the disk may not be mounted.
    ///
    /// @param files of the store that has this pair, for messages
    /// @throws EngineException.CannotOpen when it is not there, or not the one
    public Storage find(Path directory, Storage files) throws IOException {
        Path logs = directory.resolve(FileNames.LOG_DIRECTORY);
        LogPair theirs = null;
        if (Files.isDirectory(logs)) {
            Storage found = DiskStorage.open(logs);
            theirs = read(found);
            if (theirs != null && theirs.id.equals(id)) {
                return found;
            }
        }
        throw new EngineException.CannotOpen("the logs of the store " + files.describe("") + " are in " + other
                + ", and " + (directory.equals(other) ? "that" : directory) + " " + fault(directory, theirs));
    }

    /// The fault of a directory that lacks the logs of a pair, and its remedy.
    ///
    /// @param theirs the pair whose logs it has
    private static String fault(Path directory, @Nullable LogPair theirs) {
        if (theirs != null) {
            return "has those of the store " + theirs.other
                    + ": name the directory that has the logs of this one (--lsm.log-dir)";
        }
        String back = "put the directory back, or name where it was moved (--lsm.log-dir)";
        if (Files.notExists(directory)) {
            return "is missing: mount the disk, or " + back;
        }
        return Files.isDirectory(directory) && Files.isExecutable(directory)
                ? "has no logs of a store (no file " + FileNames.LOG_DIRECTORY + "/" + FileNames.LOGS
                        + "): mount the disk that belongs there, or " + back
                : "is no directory that this user may look into: give permission for that, or " + back;
    }

    private static String text(Storage directory) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            ByteBuffer bytes = directory.map(FileNames.LOGS, arena).asByteBuffer();
            return bytes.remaining() > MAX_BYTES
                    ? ""
                    : StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException _) {
            return ""; // damaged
        }
    }

    private String text() {
        return "kvant logs apart\nlayout=" + LAYOUT + "\nid=" + id + "\nother=" + other + "\n";
    }

    private static EngineException.Corruption damaged(String file) {
        return new EngineException.Corruption(
                file, 0, "it is not what Kvant writes, four lines that name layout, id and the other directory");
    }
}
