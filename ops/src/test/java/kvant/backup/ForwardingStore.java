package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.SortedMap;

/// Another place for backups, in which a test changes what it has to.
class ForwardingStore implements ObjectStore {

    private final ObjectStore store;

    ForwardingStore(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void put(String name, Path content, String sha256) throws IOException {
        store.put(name, content, sha256);
    }

    @Override
    public void put(String name, byte[] content) throws IOException {
        store.put(name, content);
    }

    @Override
    public boolean create(String name, byte[] content) throws IOException {
        return store.create(name, content);
    }

    @Override
    public boolean replace(String name, byte[] expected, byte[] content) throws IOException {
        return store.replace(name, expected, content);
    }

    @Override
    public InputStream get(String name) throws IOException {
        return store.get(name);
    }

    @Override
    public SortedMap<String, Long> list(String folder) throws IOException {
        return store.list(folder);
    }

    @Override
    public void delete(String name) throws IOException {
        store.delete(name);
    }

    @Override
    public void discardUnfinished() throws IOException {
        store.discardUnfinished();
    }

    @Override
    public String describe(String name) {
        return store.describe(name);
    }

    @Override
    public void close() {
        store.close();
    }
}
