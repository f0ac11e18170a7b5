package kvant.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Threads of one test that start together; the first failure among them is the test's failure.
public final class Crew implements AutoCloseable {

    /// The work of one thread.
    public interface Job {
        void run(int number) throws Exception;
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> jobs = new ArrayList<>();

    /// Runs one job on so many threads, numbered from 0, and waits for all.
    public static void runAll(int count, Job job) {
        CyclicBarrier start = new CyclicBarrier(count);
        try (Crew crew = new Crew()) {
            for (int i = 0; i < count; i++) {
                int number = i;
                crew.start(() -> {
                    start.await();
                    job.run(number);
                    return number;
                });
            }
            crew.join();
        }
    }

    public void start(Callable<?> job) {
        jobs.add(threads.submit(job));
    }

    /// Waits for all jobs, within the time limit.
    public void join() {
        long deadline = System.nanoTime() + Samples.timeoutNanos();
        for (Future<?> job : jobs) {
            try {
                job.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                throw new AssertionError("a thread of the test failed: " + e.getCause(), e.getCause());
            } catch (TimeoutException | InterruptedException e) {
                throw new AssertionError("a thread of the test did not finish", e);
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
