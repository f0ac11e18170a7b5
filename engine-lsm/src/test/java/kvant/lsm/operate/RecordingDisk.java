package kvant.lsm.operate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.lsm.storage.ForwardingFile;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.WritableFile;
import org.jspecify.annotations.Nullable;

/// The real disk beneath a checkpoint, which remembers what was asked of it, in order, and fails one call on demand.
/// Used by one thread.
final class RecordingDisk implements Checkpoint.Disk {

    final List<String> calls = new ArrayList<>();
    private final Checkpoint.Disk real = new Checkpoint.RealDisk();
    private final int failing;
    private final boolean links;
    private Runnable onFirstLink = () -> {};
    private Runnable onFirstCreate = () -> {};

    private @Nullable String fullFor;

    /// @param failing number of the call that fails, counted from 1; 0 for none
    /// @param links whether this file system knows hard links
    RecordingDisk(int failing, boolean links) {
        this.failing = failing;
        this.links = links;
    }

    RecordingDisk onFirstLink(Runnable action) {
        onFirstLink = action;
        return this;
    }

    /// @param action before the first file of a memtable is created
    RecordingDisk onFirstCreate(Runnable action) {
        onFirstCreate = action;
        return this;
    }

    /// @param start of the calls for which the disk has no room
    RecordingDisk fullFor(String start) {
        fullFor = start;
        return this;
    }

    private void call(String what) throws IOException {
        calls.add(what);
        if (fullFor != null && what.startsWith(fullFor)) {
            throw new FileSystemException(what, null, "No space left on device");
        }
        if (calls.size() == failing) {
            throw new IOException("injected: no space left on device in call " + failing + ", " + what);
        }
    }

    @Override
    public Storage open(Path directory) throws IOException {
        call("open");
        return new RecordingStorage(real.open(directory));
    }

    @Override
    public void link(Path link, Path existing) throws IOException {
        onFirstLink.run();
        onFirstLink = () -> {};
        if (!links) {
            throw new FileSystemException(link.toString(), null, "Invalid cross-device link");
        }
        call("link " + link.getFileName());
        real.link(link, existing);
    }

    @Override
    public void copy(Path from, Path to) throws IOException {
        call("copy " + to.getFileName());
        real.copy(from, to);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        call("rename to " + to.getFileName());
        real.rename(from, to);
    }

    @Override
    public void sync(Path fileOrDirectory) throws IOException {
        String name = String.valueOf(fileOrDirectory.getFileName());
        call("sync " + (name.contains(".kvant-") ? "unfinished" : name));
        real.sync(fileOrDirectory);
    }

    private final class RecordingStorage extends ForwardingStorage {

        RecordingStorage(Storage storage) {
            super(storage);
        }

        @Override
        public WritableFile create(String name) throws IOException {
            onFirstCreate.run();
            onFirstCreate = () -> {};
            call("create " + name);
            return new RecordingFile(name, super.create(name));
        }

        @Override
        public void rename(String from, String to) throws IOException {
            call("rename to " + to);
            super.rename(from, to);
        }

        @Override
        public void syncDirectory() throws IOException {
            call("sync lsm");
            super.syncDirectory();
        }
    }

    private final class RecordingFile extends ForwardingFile {

        private final String name;

        RecordingFile(String name, WritableFile file) {
            super(file);
            this.name = name;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            call("write " + name);
            super.write(bytes);
        }

        @Override
        public void sync() throws IOException {
            call("sync " + name);
            super.sync();
        }

        @Override
        public void preallocate(long bytes) throws IOException {
            call("preallocate " + name);
            super.preallocate(bytes);
        }
    }
}
