package kvant.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import kvant.engine.EngineException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

class RocksDbErrorsTest {

    private static final Path DIRECTORY = Path.of("data", "rocksdb");

    @BeforeAll
    static void loadLibrary() {
        RocksDB.loadLibrary();
    }

    @Test
    void aFullDiskIsKnownByItsSubCodeAndByItsText() {
        assertThat(RocksDbErrors.ofWrite(exception(Status.Code.IOError, Status.SubCode.NoSpace, "x"), DIRECTORY))
                .isInstanceOf(EngineException.StorageFull.class)
                .hasMessageContaining("data/rocksdb");
        String text = "While appending to file: 000004.log: No space left on device";
        assertThat(RocksDbErrors.ofWrite(exception(Status.Code.IOError, Status.SubCode.None, text), DIRECTORY))
                .isInstanceOf(EngineException.StorageFull.class);
    }

    /// RocksDB writes most of a checkpoint, and the engine the rest.
    @Test
    void aCheckpointForWhichThereIsNoRoomIsAFullDisk() {
        String text = "No space left on device";
        assertThat(List.of(
                        RocksDbErrors.ofCheckpoint(exception(Status.Code.IOError, Status.SubCode.NoSpace, "x")),
                        RocksDbErrors.ofCheckpoint(new FileSystemException("KVANT", null, text)),
                        RocksDbErrors.ofCheckpoint(new IOException("Disk quota exceeded"))))
                .allMatch(failure -> failure instanceof EngineException.StorageFull)
                .allMatch(failure -> failure.getMessage().startsWith("no checkpoint was made: "));
        assertThat(RocksDbErrors.ofCheckpoint(new IOException("Input/output error")))
                .isInstanceOf(EngineException.Io.class);
    }

    @Test
    void anyOtherFaultOfTheDeviceMeansThatTheLogFailed() {
        String text = "While fsync: 000004.log: Input/output error";
        assertThat(RocksDbErrors.ofWrite(exception(Status.Code.IOError, Status.SubCode.None, text), DIRECTORY))
                .isInstanceOf(EngineException.LogFailed.class)
                .hasMessageContaining(text);
    }

    @Test
    void damageNamesFileAndOffset() {
        String text = "block checksum mismatch: stored = 1, computed = 2  in /a dir/000012.sst offset 4096 size 77";
        assertThat(RocksDbErrors.ofRead(exception(Status.Code.Corruption, Status.SubCode.None, text), DIRECTORY))
                .isInstanceOfSatisfying(EngineException.Corruption.class, damage -> {
                    assertThat(damage.file()).isEqualTo("/a dir/000012.sst");
                    assertThat(damage.offset()).isEqualTo(4096);
                });
    }

    @Test
    void damageWithoutAnOffsetStillNamesWhatItCan() {
        assertThat(corruptFile("bad entry in MANIFEST-000007")).isEqualTo("MANIFEST-000007");
        assertThat(corruptFile("something")).contains("data/rocksdb");
    }

    @Test
    void whatReadsCannotTellIsAnIoFailure() {
        assertThat(RocksDbErrors.ofRead(exception(Status.Code.IOError, Status.SubCode.None, "gone"), DIRECTORY))
                .isInstanceOf(EngineException.Io.class)
                .hasMessageContaining("gone");
        assertThat(RocksDbErrors.ofWrite(exception(Status.Code.TimedOut, Status.SubCode.None, "late"), DIRECTORY))
                .isInstanceOf(EngineException.Io.class);
    }

    private static String corruptFile(String text) {
        RocksDBException e = exception(Status.Code.Corruption, Status.SubCode.None, text);
        return ((EngineException.Corruption) RocksDbErrors.ofRead(e, DIRECTORY)).file();
    }

    private static RocksDBException exception(Status.Code code, Status.SubCode subCode, String text) {
        return new RocksDBException(text, new Status(code, subCode, text));
    }
}
