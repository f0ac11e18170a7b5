package kvant.lsm.sim;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.WritableFile;

/// A directory in a simulated one: of the same disk, which loses power for both at the same moment.
final class SimDirectory extends ForwardingStorage {

    private final SimStorage storage;
    private final String prefix;

    SimDirectory(SimStorage storage, String prefix) {
        super(storage);
        this.storage = storage;
        this.prefix = prefix;
    }

    /// Whether a name of the storage is one of a directory.
    static boolean isIn(String directory, String name) {
        return name.lastIndexOf('/') == directory.length() - 1 && name.startsWith(directory);
    }

    /// @param directory what its names begin with: nothing, or a name and a slash
    static List<String> namesIn(String directory, Set<String> names) {
        return names.stream()
                .filter(name -> isIn(directory, name))
                .map(name -> name.substring(directory.length()))
                .toList();
    }

    @Override
    public WritableFile create(String name) throws IOException {
        return super.create(prefix + name);
    }

    @Override
    public List<String> list() throws IOException {
        return storage.list(prefix);
    }

    @Override
    public MemorySegment map(String name, Arena arena) throws IOException {
        return super.map(prefix + name, arena);
    }

    @Override
    public long size(String name) throws IOException {
        return super.size(prefix + name);
    }

    @Override
    public void truncate(String name, long size) throws IOException {
        super.truncate(prefix + name, size);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        super.rename(prefix + from, prefix + to);
    }

    @Override
    public void delete(String name) throws IOException {
        super.delete(prefix + name);
    }

    @Override
    public void syncDirectory() throws IOException {
        storage.syncDirectory(prefix);
    }

    @Override
    public String describe(String name) {
        return super.describe(prefix + name);
    }
}
