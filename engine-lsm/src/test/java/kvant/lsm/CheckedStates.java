package kvant.lsm;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import kvant.lsm.sim.SimStorage;
import org.jspecify.annotations.Nullable;

/// Checks of the states that a crash may leave, made while the storage stands still, and the first that failed.
final class CheckedStates {

    // Constant.
    private final SimStorage storage;

    // Atomic.
    private final AtomicReference<@Nullable AssertionError> failure = new AtomicReference<>();

    private final AtomicLong count = new AtomicLong();

    CheckedStates(SimStorage storage) {
        this.storage = storage;
    }

    /// Grows for as long as there is progress.
    long count() {
        return count.get();
    }

    boolean hasFailed() {
        return failure.get() != null;
    }

    void throwFailure() {
        AssertionError first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    /// On a thread of its own: an interrupt of the one that is stopped here is none of the check's business. An error
    /// counts as a failure too: a check that ran out of memory has not passed.
    ///
    /// @return whether it has passed
    boolean check(String what, Runnable check) {
        count.incrementAndGet();
        Checker checker = new Checker(check);
        checker.start();
        boolean interrupted = false;
        while (checker.isAlive()) {
            try {
                checker.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        Throwable cause = checker.thrown.get();
        if (cause != null) {
            fail(what + "; calls: " + storage.trace(), cause); // here, for this thread has the storage's lock
        }
        return cause == null;
    }

    void fail(String what, @Nullable Throwable cause) {
        failure.compareAndSet(null, new AssertionError(what, cause));
    }

    /// Not meant to be interrupted: an interrupt is reported with the failure.
    private static final class Checker extends Thread {

        private final Runnable check;
        private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        private final AtomicReference<@Nullable Throwable> interrupted = new AtomicReference<>();

        private Checker(Runnable check) {
            super("crash-check");
            this.check = check;
        }

        @Override
        public void run() {
            try {
                check.run();
            } catch (Throwable e) {
                Throwable by = interrupted.get();
                if (by != null) {
                    e.addSuppressed(by);
                }
                thrown.set(e);
            }
        }

        @Override
        public void interrupt() {
            interrupted.compareAndSet(null, new IllegalStateException("interrupted by " + Thread.currentThread()));
            super.interrupt();
        }
    }
}
