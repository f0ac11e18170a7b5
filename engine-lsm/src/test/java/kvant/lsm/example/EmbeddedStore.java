package kvant.lsm.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.nio.file.Path;
import kvant.engine.Condition;
import kvant.engine.ConditionFailedException;
import kvant.engine.Cursor;
import kvant.engine.Lookup;
import kvant.engine.Range;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;

/// The example of docs/embedding.md.
final class EmbeddedStore {

    private EmbeddedStore() {}

    // example: from here
    static void run(Path directory, PrintStream out) throws ConditionFailedException {
        try (LsmEngine store = LsmEngine.open(directory, LsmOptions.defaults())) {
            // Returns when the write is on the disk.
            long version = store.write(WriteBatch.put(bytes("user:1"), bytes("Ada")));

            // Together or not at all, and only while user:1 is as it was.
            store.write(WriteBatch.put(bytes("user:1"), bytes("Ada Lovelace"))
                    .andPut(bytes("user:2"), bytes("Charles"))
                    .andDelete(bytes("user:3"))
                    .when(new Condition.VersionIs(version)));

            if (store.get(bytes("user:1")) instanceof Lookup.Found found) {
                out.println(text(found.value()));
            }

            // A snapshot: it shows nothing that is written from now on.
            try (Cursor users = store.scan(Range.prefix(bytes("user:")))) {
                store.write(WriteBatch.delete(bytes("user:2")));
                while (users.next()) {
                    out.println(text(users.key()) + " = " + text(users.value()));
                }
            }
        } // syncs, whatever the durability, and lets the directory go
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
    // example: to here
}
