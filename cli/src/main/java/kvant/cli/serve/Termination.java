package kvant.cli.serve;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import kvant.text.ExitCode;
import kvant.text.Signals;

/// Termination of a node: orderly after the first signal, immediate after a second one or when a time limit has passed.
///
///     not begun --signal--> exit 0 at once
///     RUNNING --signal--> STOPPING --drained, synced, closed--> exit 0
///                            |
///                            +--second signal, or limit passed--> exit 1
///
/// A shutdown hook of the JVM is no alternative: the process would always exit with 128 + the signal's number, and
/// ignore a second signal. Signals that the process was started to ignore (`nohup`) stay ignored.
public final class Termination {

    private static final List<String> SIGNALS = List.of("TERM", "INT", "HUP");

    // Constant.
    private final PrintWriter err;
    private final Duration limit;
    private final IntConsumer halt;

    // Atomic.
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch requested = new CountDownLatch(1);

    /// @param limit maximum time for an orderly termination
    /// @param halt ends the process at once with this exit code
    Termination(PrintWriter err, Duration limit, IntConsumer halt) {
        this.err = err;
        this.limit = limit;
        this.halt = halt;
    }

    /// Handles a signal before a node starts to open its store. Nothing needs to be closed yet, so the process ends at
    /// once. The JVM's default would be the exit code of a killed process.
    ///
    /// @param end ends the process at once with this exit code
    static Consumer<String> beforeStart(PrintWriter err, IntConsumer end) {
        return name -> {
            err.println("kvant: stopped by " + name + " before it had started");
            err.flush();
            end.accept(ExitCode.DONE);
        };
    }

    /// Makes these signals end the process at once, until [#listen] takes them over.
    public static void endAtOnceUntilListening() {
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        Signals.onEach(SIGNALS, beforeStart(err, Runtime.getRuntime()::halt));
    }

    /// Takes over the signals that request termination.
    void listen() {
        Signals.onEach(SIGNALS, this::signalled);
    }

    /// Whether the first signal has arrived.
    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /// Waits for the first signal.
    void await() throws InterruptedException {
        requested.await();
    }

    /// Handles a signal.
    void signalled(String name) {
        if (stopping.compareAndSet(false, true)) {
            Thread.ofPlatform().name("kvant-halt").daemon().start(this::haltAfterLimit);
            requested.countDown();
        } else {
            force("a second " + name);
        }
    }

    private void haltAfterLimit() {
        try {
            TimeUnit.NANOSECONDS.sleep(limit.toNanos());
            force(limit.toSeconds() + " s of waiting");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // never interrupted; if it is, there is no time limit
        }
    }

    private void force(String cause) {
        err.println("kvant: stopped at once after " + cause
                + ", before it had ended by itself; acknowledged writes are recovered at the next start");
        err.flush();
        halt.accept(ExitCode.FAILED);
    }
}
