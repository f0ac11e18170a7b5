package kvant.engine.directory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import kvant.engine.EngineException;

/// The age of a store's newest backup, from the file `backup/LAST` of its data directory. Its line is a time: all
/// writes acknowledged before it are in a complete backup.
///
/// The backup command writes the file, also while a node serves the store. The node reads it at each query and needs
/// no notification. Checkpoints leave the file out, because a copy of the store has not been backed up itself.
public final class LastBackup {

    /// In the directory for checkpoints of backups; it stays when they are deleted.
    public static final String NAME = "LAST";

    /// No backup is known.
    public static final long NONE = 0;

    private LastBackup() {}

    /// Notes that everything which was acknowledged before a time is in a backup. Durable when this returns.
    ///
    /// @param folder of [CheckpointTarget#PASSING], in the data directory
    public static void note(Path folder, Instant time) throws IOException {
        OwnFiles.replace(folder.resolve(NAME), time + "\n");
    }

    /// That time in milliseconds since 1970; [#NONE] where none is recorded, or the record cannot be read.
    public static long millis(Path data) {
        try {
            String line = OwnFiles.read(data.resolve(CheckpointTarget.PASSING).resolve(NAME));
            return Instant.parse(line.strip()).toEpochMilli();
        } catch (IOException | DateTimeException | ArithmeticException | EngineException _) {
            return NONE;
        }
    }
}
