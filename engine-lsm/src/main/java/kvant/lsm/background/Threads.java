package kvant.lsm.background;

import java.util.List;

/// Waits for threads that end by themselves, and cannot be given up.
final class Threads {

    private Threads() {}

    /// An interrupt is kept for the caller.
    static void join(List<Thread> threads) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
