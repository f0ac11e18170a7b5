package kvant.lsm.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A process whose files may not grow beyond a limit, which says what it makes of the errors that it meets.
final class LimitedFiles {

    private static final int PIECE_BYTES = 1 << 20;
    private static final int PIECES = 64;

    private LimitedFiles() {}

    /// The error of a device without any room.
    static IOException fullDevice() {
        try (FileChannel device = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
            device.write(ByteBuffer.allocate(1));
        } catch (IOException e) {
            return e;
        }
        throw new AssertionError("/dev/full has room");
    }

    /// @param arguments a directory that is not there yet
    public static void main(String[] arguments) throws IOException {
        IOException full = fullDevice();
        System.out.println(SystemErrors.OF_PROCESS.of(full) + ": " + full.getMessage());
        Storage storage = DiskStorage.open(Path.of(arguments[0]));
        try (WritableFile log = storage.create(FileNames.log(1))) {
            for (int i = 0; i < PIECES; i++) {
                log.write(ByteBuffer.allocate(PIECE_BYTES));
            }
        } catch (StorageFullException e) {
            System.out.println(e.limit() + (e.isOfLog() ? " of a log: " : ": ") + e.getCause());
        }
    }
}
