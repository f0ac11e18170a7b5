package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import kvant.text.UserException;

/// Held by whoever changes a place for backups: one that deletes files must not meet one that is about to refer to
/// them.
///
/// An object of a fixed name, which says who holds it. What a killed process of this machine has left is taken over;
/// of another machine nobody can tell, so a person has to. Belongs to one thread.
public final class TargetLock implements AutoCloseable {

    static final String NAME = "lock";

    private static final int LONGEST_BYTES = 4 << 10;

    private final ObjectStore store;

    private TargetLock(ObjectStore store) {
        this.store = store;
    }

    /// @param takeOver whoever seems to hold it
    /// @throws UserException where another process holds it
    public static TargetLock take(ObjectStore store, boolean takeOver) throws IOException {
        if (!store.create(NAME, own())) {
            String holder = holder(store);
            if (!takeOver && !isGone(holder)) {
                throw new UserException("another process changes the backups in " + store.describe("") + " ("
                        + String.join(", ", holder.lines().toList())
                        + "): wait for its end, or where it has ended, repeat this with --take-lock");
            }
            store.delete(NAME);
            if (!store.create(NAME, own())) {
                throw new UserException("another process has just begun to change the backups in " + store.describe("")
                        + ": wait for its end");
            }
        }
        store.discardUnfinished();
        return new TargetLock(store);
    }

    @Override
    public void close() throws IOException {
        store.delete(NAME);
    }

    private static byte[] own() throws IOException {
        ProcessHandle process = ProcessHandle.current();
        String text = "host=" + host() + "\nprocess=" + process.pid() + "\nsince="
                + process.info().startInstant().orElse(Instant.EPOCH) + "\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String holder(ObjectStore store) throws IOException {
        try (InputStream in = store.get(NAME)) {
            return new String(in.readNBytes(LONGEST_BYTES), StandardCharsets.UTF_8);
        } catch (NoSuchFileException _) {
            return ""; // it has just ended
        }
    }

    /// A process is known by its number and the time of its start: numbers are given again.
    private static boolean isGone(String holder) throws IOException {
        List<String> lines = holder.lines().toList();
        if (lines.size() != 3 || !lines.getFirst().equals("host=" + host())) {
            return false;
        }
        String process = lines.get(1).replaceFirst("process=", "");
        if (!process.matches("\\d{1,18}")) {
            return false;
        }
        return ProcessHandle.of(Long.parseLong(process))
                .map(handle -> !lines.get(2)
                        .equals("since=" + handle.info().startInstant().orElse(Instant.EPOCH)))
                .orElse(true);
    }

    private static String host() throws IOException {
        Path kernel = Path.of("/proc/sys/kernel/hostname"); // asks no name server
        return Files.isReadable(kernel)
                ? Files.readString(kernel).strip()
                : InetAddress.getLocalHost().getHostName();
    }
}
