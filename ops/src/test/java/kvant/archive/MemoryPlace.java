package kvant.archive;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import kvant.backup.ObjectStore;
import org.jspecify.annotations.Nullable;

/// A target in memory that fails as a test wants it to.
final class MemoryPlace implements ArchivePlace {

    /// A fault at a call.
    interface Fault {

        /// @param call such as `put`
        /// @param done whether it has had its effect
        void at(String call, String name, boolean done) throws IOException;
    }

    final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>();

    /// Names that a listing does not show yet.
    final Set<String> unlisted = ConcurrentHashMap.newKeySet();

    volatile @Nullable Fault fault;

    /// The speed at which content is put; 0 for at once.
    volatile long bytesPerSecond;

    /// Of calls that change something.
    final AtomicInteger changes = new AtomicInteger();

    /// All calls fail from the given one on, of those that change something: as if the process had ended there.
    void dieAt(int change, boolean done) {
        changes.set(0);
        fault = (_, name, isDone) -> {
            int now = changes.get();
            if (now > change || now == change && (isDone || !done)) {
                throw new IOException("the process has ended before " + name);
            }
        };
    }

    @Override
    public ObjectStore open(String folder) {
        return new View(folder.isEmpty() ? "" : folder + "/");
    }

    private final class View implements ObjectStore {

        private final String prefix;

        View(String prefix) {
            this.prefix = prefix;
        }

        private void at(String call, String name, boolean done) throws IOException {
            Fault now = fault;
            if (now != null) {
                now.at(call, prefix + name, done);
            }
        }

        private void change(String call, String name, Runnable effect) throws IOException {
            changes.incrementAndGet();
            at(call, name, false);
            effect.run();
            at(call, name, true);
        }

        @Override
        public void put(String name, Path content, String sha256) throws IOException {
            byte[] bytes = Files.readAllBytes(content);
            if (bytesPerSecond > 0) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(bytes.length) / bytesPerSecond);
            }
            change("put", name, () -> objects.put(prefix + name, bytes));
        }

        @Override
        public void put(String name, byte[] content) throws IOException {
            change("put", name, () -> objects.put(prefix + name, content));
        }

        @Override
        public boolean create(String name, byte[] content) throws IOException {
            boolean[] created = new boolean[1];
            change("create", name, () -> created[0] = objects.putIfAbsent(prefix + name, content) == null);
            return created[0];
        }

        @Override
        public boolean replace(String name, byte[] expected, byte[] content) throws IOException {
            boolean[] replaced = new boolean[1];
            change(
                    "replace",
                    name,
                    () -> objects.computeIfPresent(prefix + name, (_, there) -> {
                        replaced[0] = Arrays.equals(there, expected);
                        return replaced[0] ? content : there;
                    }));
            return replaced[0];
        }

        @Override
        public InputStream get(String name) throws IOException {
            at("get", name, false);
            byte[] there = objects.get(prefix + name);
            if (there == null) {
                throw new NoSuchFileException(describe(name));
            }
            return new ByteArrayInputStream(there);
        }

        @Override
        public SortedMap<String, Long> list(String folder) throws IOException {
            at("list", folder, false);
            String before = prefix + folder + "/";
            SortedMap<String, Long> sizes = new TreeMap<>();
            objects.tailMap(before).forEach((name, content) -> {
                if (name.startsWith(before) && !unlisted.contains(name)) {
                    sizes.put(name.substring(before.length()), (long) content.length);
                }
            });
            return sizes;
        }

        @Override
        public void delete(String name) throws IOException {
            change("delete", name, () -> objects.remove(prefix + name));
        }

        @Override
        public void discardUnfinished() throws IOException {
            at("discard", "", false);
        }

        @Override
        public String describe(String name) {
            return "memory:" + prefix + name;
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
