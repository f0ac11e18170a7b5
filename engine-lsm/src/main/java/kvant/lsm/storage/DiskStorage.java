package kvant.lsm.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import kvant.engine.directory.DataDirectory;
import kvant.lsm.storage.StorageFullException.Limit;
import org.jspecify.annotations.Nullable;

/// A directory of the operating system. Files belong to their owner alone (mode 0600).
///
/// Names are looked up by path, so that a directory that was put in the place of this one would get its files, and lose
/// its own of the same names: nothing is created, renamed or deleted there.
public final class DiskStorage implements Storage {

    /// Zeros written at a time.
    private static final int ZEROS_BYTES = 1 << 20;

    private static final FileAttribute<?> OWNER_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> OWNER_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /// Loaded when the first directory is opened: later there may be no file descriptor left for it.
    private static final SystemErrors ERRORS = SystemErrors.OF_PROCESS;

    private final Path directory;
    private final @Nullable DataDirectory data;

    private DiskStorage(Path directory, @Nullable DataDirectory data) {
        this.directory = directory;
        this.data = data;
    }

    /// Opens the directory of this name in a data directory.
    public static DiskStorage open(DataDirectory data, String name) throws IOException {
        return open(data.path().resolve(name), data);
    }

    /// Opens a directory, and creates it where it is missing.
    public static DiskStorage open(Path directory) throws IOException {
        return open(directory, null);
    }

    private static DiskStorage open(Path directory, @Nullable DataDirectory data) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectory(directory, OWNER_DIRECTORY);
            Path parent = directory.toAbsolutePath().getParent();
            if (parent != null) {
                sync(parent);
            }
        }
        return new DiskStorage(directory, data);
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) { // a directory that cannot be read on
            throw e.getCause();
        }
    }

    @Override
    public WritableFile create(String name) throws IOException {
        refuseDisplaced();
        Path path = directory.resolve(name);
        try {
            FileChannel channel =
                    FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_FILE);
            return new ChannelFile(path, channel);
        } catch (IOException e) {
            throw explained(e, path);
        }
    }

    @Override
    public MemorySegment map(String name, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(directory.resolve(name), StandardOpenOption.READ)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    @Override
    public long read(String name, long position, MemorySegment into) throws IOException {
        ByteBuffer piece = into.asByteBuffer();
        try (FileChannel channel = FileChannel.open(directory.resolve(name), StandardOpenOption.READ)) {
            while (piece.hasRemaining() && channel.read(piece, position + piece.position()) > 0) {
                // A read may give less than there is.
            }
        }
        return piece.position();
    }

    @Override
    public long size(String name) throws IOException {
        return Files.size(directory.resolve(name));
    }

    @Override
    public void truncate(String name, long size) throws IOException {
        refuseDisplaced();
        try (FileChannel channel = FileChannel.open(directory.resolve(name), StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        refuseDisplaced();
        Path target = directory.resolve(to);
        try {
            Files.move(
                    directory.resolve(from),
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw explained(e, target);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        refuseDisplaced();
        Files.delete(directory.resolve(name));
    }

    @Override
    public void syncDirectory() throws IOException {
        sync(directory);
    }

    @Override
    public long usableBytes() throws IOException {
        return Files.getFileStore(directory).getUsableSpace();
    }

    @Override
    public @Nullable String displaced() {
        return data == null ? null : data.displaced();
    }

    private void refuseDisplaced() throws IOException {
        String displaced = displaced();
        if (displaced != null) {
            throw new IOException(displaced);
        }
    }

    @Override
    public String describe(String name) {
        return directory.resolve(name).toString();
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = openDirectory(directory)) {
            channel.force(true);
        }
    }

    private static FileChannel openDirectory(Path directory) throws IOException {
        try {
            return FileChannel.open(directory, StandardOpenOption.READ);
        } catch (IOException e) {
            throw explained(e, directory);
        }
    }

    /// Translates an error of the operating system, also for callers that write a file by other means.
    ///
    /// @param path of the file or directory
    /// @return a [StorageFullException] where a limit was met; otherwise possibly the error itself
    public static IOException explained(IOException e, Path path) {
        return explained(e, path, ERRORS);
    }

    /// @param errors interpreter of error messages
    static IOException explained(IOException e, Path path, SystemErrors errors) {
        return switch (errors.of(e)) {
            case DISK_FULL -> new StorageFullException(Limit.DISK, path.toString(), e);
            case QUOTA_USED_UP -> new StorageFullException(Limit.QUOTA, path.toString(), e);
            case FILE_TOO_LARGE -> new StorageFullException(Limit.FILE_SIZE, path.toString(), e);
            case TOO_MANY_FILES, TOO_MANY_FILES_IN_SYSTEM ->
                new NoDescriptorException("too many open files to open " + path, e);
            case null -> e;
        };
    }

    private static final class ChannelFile implements WritableFile {

        private final Path path;
        private final FileChannel channel;

        // One thread.
        private long givenBytes; // to the disk

        ChannelFile(Path path, FileChannel channel) {
            this.path = path;
            this.channel = channel;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } catch (IOException e) {
                throw explained(e, path);
            }
        }

        @Override
        public void sync() throws IOException {
            channel.force(false); // fdatasync: the size is synced with the data, time stamps need not be
        }

        @Override
        public void beginWriteback() {
            try {
                long end = channel.position();
                CLibrary.beginWriteback(path, givenBytes, end);
                givenBytes = end;
            } catch (IOException _) {
                // The next write or sync tells.
            }
        }

        /// Writes real zeros: bytes that are only reserved (fallocate) cost a change of metadata at their first
        /// write, as much as those of a file that grows. In pieces, each synced by itself, so that the syncs of
        /// other files do not have to wait for all of it.
        @Override
        public void preallocate(long bytes) throws IOException {
            try (Arena arena = Arena.ofConfined()) {
                ByteBuffer zeros = arena.allocate(ZEROS_BYTES).asByteBuffer();
                long at = channel.size();
                while (at < bytes) {
                    zeros.clear().limit((int) Math.min(ZEROS_BYTES, bytes - at));
                    at += channel.write(zeros, at);
                    channel.force(false);
                }
            } catch (IOException e) {
                throw explained(e, path);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
