package kvant.bench.attack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.bench.process.Node;
import org.jspecify.annotations.Nullable;

/// The highest memory of a node: resident, by the kernel, and direct buffers, by its JVM. A thread of its own
/// looks twice a second.
final class Vitals implements AutoCloseable {

    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmHWM:\\s*(\\d+) kB");
    private static final long PERIOD_MILLIS = 500;
    private static final long KIB = 1024;

    // Constant.
    private final Path status;
    private final @Nullable DirectMemory direct;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    // Written by the thread.
    private volatile long residentBytes;
    private volatile long directBytes;

    private Vitals(Node node, boolean looksInside) throws IOException {
        this.status = Path.of("/proc", Long.toString(node.pid()), "status");
        this.direct = looksInside ? DirectMemory.of(node.pid()) : null;
        this.thread = Thread.ofPlatform().daemon().name("vitals").start(this::run);
    }

    /// @param looksInside into the JVM, too
    static Vitals start(Node node, boolean looksInside) throws IOException {
        return new Vitals(node, looksInside);
    }

    private void run() {
        try {
            do {
                look();
            } while (!ended.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            Matcher resident = RESIDENT.matcher(Files.readString(status));
            residentBytes = resident.find() ? Long.parseLong(resident.group(1)) * KIB : residentBytes;
            if (direct != null) {
                directBytes = Math.max(directBytes, direct.usedBytes());
            }
        } catch (IOException _) {
            // it has ended, or has no descriptor for this
        }
    }

    /// 0 where the system does not tell.
    long residentBytes() {
        return residentBytes;
    }

    long directBytes() {
        return directBytes;
    }

    /// Looks no more.
    void end() {
        ended.countDown();
        try {
            thread.join();
            if (direct != null) {
                direct.close();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException _) {
            // the node has ended
        }
    }

    @Override
    public void close() {
        end();
    }
}
