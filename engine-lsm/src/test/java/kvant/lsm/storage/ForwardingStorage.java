package kvant.lsm.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Hands every call on to another storage; for those that do something else with a few of them.
public abstract class ForwardingStorage implements Storage {

    private final Storage storage;

    protected ForwardingStorage(Storage storage) {
        this.storage = storage;
    }

    @Override
    public WritableFile create(String name) throws IOException {
        return storage.create(name);
    }

    @Override
    public List<String> list() throws IOException {
        return storage.list();
    }

    @Override
    public MemorySegment map(String name, Arena arena) throws IOException {
        return storage.map(name, arena);
    }

    @Override
    public long size(String name) throws IOException {
        return storage.size(name);
    }

    @Override
    public void truncate(String name, long size) throws IOException {
        storage.truncate(name, size);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        storage.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        storage.delete(name);
    }

    @Override
    public void syncDirectory() throws IOException {
        storage.syncDirectory();
    }

    @Override
    public long usableBytes() throws IOException {
        return storage.usableBytes();
    }

    @Override
    public String describe(String name) {
        return storage.describe(name);
    }
}
