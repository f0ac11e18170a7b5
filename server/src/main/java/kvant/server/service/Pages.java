package kvant.server.service;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import kvant.server.admit.AnswerMemory;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Request;

/// Makes pages about the node on one thread of their own, which exists only while it is needed: a scrape may ask the
/// engine and the JVM for much, and must not delay requests. Pages are admitted like other answers, because a slow
/// client keeps one for long.
final class Pages implements AutoCloseable {

    private static final int MOST_WAITING = 16;
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);
    private static final long CLOSE_WAIT_MILLIS = 1000;

    // Constant.
    private final AnswerMemory answers;
    private final ThreadPoolExecutor thread;

    /// @param answers memory for answers on their way out
    Pages(AnswerMemory answers) {
        this.answers = answers;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                KEEP_ALIVE.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                Thread.ofPlatform().name("kvant-pages").daemon().factory());
        thread.allowCoreThreadTimeOut(true);
    }

    /// @return false when too many wait already
    boolean submit(Call call, Request.Page page) {
        try {
            thread.execute(() -> {
                call.startedAt(System.nanoTime());
                call.done(made(call, page));
                call.deliver();
            });
            return true;
        } catch (RejectedExecutionException _) {
            return false;
        }
    }

    private Outcome made(Call call, Request.Page page) {
        try {
            Outcome.Page made = page.source().page(page.accept());
            return call.claimAnswer(answers, made.body().length) ? made : Failures.OVERLOADED;
        } catch (Throwable e) {
            return Failures.of(e, call::named);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
        try {
            thread.awaitTermination(CLOSE_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
