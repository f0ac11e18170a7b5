package kvant.engine;

/// Waits for threads that end by themselves, and cannot be given up.
public final class Threads {

    private Threads() {}

    /// An interrupt is kept for the caller.
    public static void join(Iterable<Thread> threads) {
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
