package example.embed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import kvant.engine.Condition;
import kvant.engine.ConditionFailedException;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Range;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;

/// Opens a store in the directory that is its argument, and does what docs/embedding.md explains.
public final class Visitors {

    private Visitors() {}

    // example: from here
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        try (LsmEngine store = LsmEngine.open(directory, LsmOptions.defaults())) {
            write(store);
            scan(store);
            count(store);
            openTwice(directory);
        } // syncs, whatever the durability, and lets the directory go
    }

    private static void write(LsmEngine store) throws ConditionFailedException {
        // Returns when the write is on the disk.
        long version = store.write(WriteBatch.put(bytes("user:1"), bytes("Ada")));

        // Together or not at all, and only while user:1 is as it was.
        store.write(WriteBatch.put(bytes("user:1"), bytes("Ada Lovelace"))
                .andPut(bytes("user:2"), bytes("Charles"))
                .andDelete(bytes("user:3"))
                .when(new Condition.VersionIs(version)));

        if (store.get(bytes("user:1")) instanceof Lookup.Found found) {
            System.out.println(text(found.value()));
        }
    }

    private static void scan(LsmEngine store) throws ConditionFailedException {
        // A snapshot: it shows nothing that is written from now on.
        try (Cursor users = store.scan(Range.prefix(bytes("user:")))) {
            store.write(WriteBatch.delete(bytes("user:2")));
            while (users.next()) {
                System.out.println(text(users.key()) + " = " + text(users.value()));
            }
        }
    }

    /// From four threads, whose writes share syncs.
    private static void count(LsmEngine store) throws Exception {
        byte[] visits = bytes("visits");
        store.write(WriteBatch.put(visits, bytes("0")));
        Callable<Long> visit = () -> increment(store, visits);
        long most = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<Long> one : threads.invokeAll(Collections.nCopies(20, visit))) {
                most = Math.max(most, one.get());
            }
        }
        System.out.println("visits = " + most);
    }

    /// Adds one to a number that other threads change, too.
    private static long increment(LsmEngine store, byte[] key) throws InterruptedException {
        while (true) {
            if (!(store.get(key) instanceof Lookup.Found found)) {
                throw new IllegalStateException("there is no " + text(key));
            }
            long next = Long.parseLong(text(found.value())) + 1;
            try {
                store.write(
                        WriteBatch.put(key, bytes(Long.toString(next))).when(new Condition.VersionIs(found.version())));
                return next;
            } catch (ConditionFailedException _) {
                // Another thread was first, and nothing was applied: read again.
            } catch (EngineException.Busy _) {
                Thread.sleep(10); // Flush and merges are behind, and nothing was applied: wait and repeat.
            }
        }
    }

    private static void openTwice(Path directory) {
        // A directory belongs to one engine at a time. Each kind of error is a class.
        try (LsmEngine _ = LsmEngine.open(directory, LsmOptions.defaults())) {
            System.out.println("opened twice");
        } catch (EngineException.CannotOpen _) {
            System.out.println("the store is open already");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
    // example: to here
}
