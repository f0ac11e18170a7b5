package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// A lock for changing a place for backups, so that no process deletes files that another one is about to refer to.
///
/// It is an object with a fixed name that identifies the holder. The lock of a killed process of this machine is taken
/// over. For another machine an operator must decide, because the state of the process is unknown. In case the operator
/// is wrong, each holder checks that the lock is still its own before changes that other processes rely on. Belongs to
/// one thread.
public final class TargetLock implements AutoCloseable {

    static final String NAME = "lock";

    private static final int LONGEST_BYTES = 4 << 10;

    /// Number of lines in a lock written by a version without nonces.
    private static final int HOLDER_LINES = 3;

    private final ObjectStore store;
    private final byte[] own;

    private TargetLock(ObjectStore store, byte[] own) {
        this.store = store;
        this.own = own;
    }

    /// @param takeOver whether to take the lock from a holder that seems to be alive
    /// @throws UserException when another process holds it
    public static TargetLock take(ObjectStore store, boolean takeOver) throws IOException {
        TargetLock lock = new TargetLock(store, own());
        if (!store.create(NAME, lock.own)) {
            lock.takeFromHolder(takeOver);
        }
        store.discardUnfinished();
        return lock;
    }

    /// Two processes may do this at the same time: each replaces only the lock of the holder that has ended.
    private void takeFromHolder(boolean takeOver) throws IOException {
        byte[] there = read();
        if (there == null) { // its holder has just released it
            store.create(NAME, own);
        } else if (!Arrays.equals(there, own)) {
            String holder = new String(there, StandardCharsets.UTF_8);
            if (!takeOver && !isGone(holder)) {
                throw new UserException("another process changes the backups in " + store.describe("") + " ("
                        + String.join(", ", holder.lines().limit(HOLDER_LINES).toList())
                        + "): wait for its end, or where it has ended, repeat this with --take-lock");
            }
            store.replace(NAME, there, own);
        }
        if (!isHeld()) { // whatever was answered: a request that was repeated finds its own work done
            throw new UserException("another process has just begun to change the backups in " + store.describe("")
                    + ": wait for its end");
        }
    }

    /// @param otherwise consequence for the caller, appended to the message
    /// @throws UserException when another process has taken over the lock
    void requireHeld(String otherwise) throws IOException {
        if (!isHeld()) {
            throw new UserException("another process has taken over the lock of the backups in " + store.describe("")
                    + ": " + otherwise);
        }
    }

    private boolean isHeld() throws IOException {
        return Arrays.equals(read(), own);
    }

    /// Releases the lock unless another process has taken it over.
    @Override
    public void close() throws IOException {
        if (isHeld()) {
            store.delete(NAME);
        }
    }

    private static byte[] own() throws IOException {
        ProcessHandle process = ProcessHandle.current();
        String text = "host=" + host() + "\nprocess=" + process.pid() + "\nsince="
                + process.info().startInstant().orElse(Instant.EPOCH) + "\nnonce=" + UUID.randomUUID() + "\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private byte @Nullable [] read() throws IOException {
        try (InputStream in = store.get(NAME)) {
            return in.readNBytes(LONGEST_BYTES);
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    /// A process is identified by number and start time, because process numbers are reused.
    private static boolean isGone(String holder) throws IOException {
        List<String> lines = holder.lines().toList();
        if (lines.size() < HOLDER_LINES || !lines.getFirst().equals("host=" + host())) {
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

    /// The name of this machine, for people.
    public static String host() throws IOException {
        Path kernel = Path.of("/proc/sys/kernel/hostname"); // no query to a name server
        return Files.isReadable(kernel)
                ? Files.readString(kernel).strip()
                : InetAddress.getLocalHost().getHostName();
    }
}
