package kvant.engine.directory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import kvant.engine.EngineException;

/// How old the newest backup of a store is: the file `backup/LAST` of its data directory, a line with the time
/// before which everything that was acknowledged is in a complete backup.
///
/// Whoever makes a backup writes it, also while a node serves the store; the node reads it whenever it is
/// asked, so that nobody has to tell it. It lies among what checkpoints leave out: a copy of the store was not
/// backed up itself.
public final class LastBackup {

    /// In the directory for checkpoints of backups, where it stays when they go.
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

    /// That time in milliseconds since 1970; [#NONE] where none was noted, or what was noted cannot be read.
    public static long millis(Path data) {
        try {
            String line = OwnFiles.read(data.resolve(CheckpointTarget.PASSING).resolve(NAME));
            return Instant.parse(line.strip()).toEpochMilli();
        } catch (IOException | DateTimeException | ArithmeticException | EngineException _) {
            return NONE;
        }
    }
}
