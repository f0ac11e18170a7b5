package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;

/// Carries out so many calls and fails all others.
final class FailingStore implements ObjectStore {

    private final List<ObjectStore> store;
    private int left;

    FailingStore(List<ObjectStore> store, int left) {
        this.store = store;
        this.left = left;
    }

    private ObjectStore next() throws IOException {
        if (left == 0) {
            throw new IOException("failed as planned");
        }
        left--;
        return store.getFirst();
    }

    @Override
    public void put(String name, Path content, String sha256) throws IOException {
        next().put(name, content, sha256);
    }

    @Override
    public void put(String name, byte[] content) throws IOException {
        next().put(name, content);
    }

    @Override
    public boolean create(String name, byte[] content) throws IOException {
        return next().create(name, content);
    }

    @Override
    public boolean replace(String name, byte[] expected, byte[] content) throws IOException {
        return next().replace(name, expected, content);
    }

    @Override
    public InputStream get(String name) throws IOException {
        return next().get(name);
    }

    @Override
    public SortedMap<String, Long> list(String folder) throws IOException {
        return next().list(folder);
    }

    @Override
    public void delete(String name) throws IOException {
        next().delete(name);
    }

    @Override
    public void discardUnfinished() throws IOException {
        next().discardUnfinished();
    }

    @Override
    public String describe(String name) {
        return "a failing place/" + name;
    }

    @Override
    public void close() {
        // holds nothing
    }
}
