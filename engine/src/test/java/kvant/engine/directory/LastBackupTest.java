package kvant.engine.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The record of the last backup in a data directory.
class LastBackupTest {

    private static final Instant TIME = Instant.parse("2026-11-22T20:50:08.123Z");

    @TempDir
    Path data;

    private Path folder() throws Exception {
        return Files.createDirectories(data.resolve(CheckpointTarget.PASSING));
    }

    @Test
    void theLastOneCountsToTheMillisecond() throws Exception {
        assertThat(LastBackup.millis(data)).isEqualTo(LastBackup.NONE);
        LastBackup.note(folder(), TIME.minusSeconds(60));
        LastBackup.note(folder(), TIME);
        assertThat(LastBackup.millis(data)).isEqualTo(TIME.toEpochMilli());
        assertThat(folder()).isDirectoryNotContaining(file -> !file.endsWith(LastBackup.NAME));
    }

    /// The clock was wrong when the backup before was made, and has been set back since.
    @Test
    void anEarlierTimeReplacesALaterOne() throws Exception {
        LastBackup.note(folder(), TIME.plusSeconds(1_000_000));
        LastBackup.note(folder(), TIME);
        assertThat(LastBackup.millis(data)).isEqualTo(TIME.toEpochMilli());
    }

    @Test
    void whatCannotBeReadIsNone() throws Exception {
        Path file = folder().resolve(LastBackup.NAME);
        for (String text : new String[] {"", "yesterday\n", "2026-11-22T20:50\n", "x".repeat(100_000)}) {
            Files.writeString(file, text);
            assertThat(LastBackup.millis(data)).as(text).isEqualTo(LastBackup.NONE);
        }
        Files.delete(file);
        Files.createDirectory(file);
        assertThat(LastBackup.millis(data)).isEqualTo(LastBackup.NONE);
    }
}
