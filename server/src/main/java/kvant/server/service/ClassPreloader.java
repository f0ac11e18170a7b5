package kvant.server.service;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import kvant.server.admit.LoopAdmission;
import kvant.server.execute.CallExecutor;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;

/// A read by the node itself, before the first client: it takes its way through the executor and the engine, so that
/// the classes of that way are loaded when the first client comes. It changes nothing, and its answer is ignored.
final class ClassPreloader extends Call {

    /// A key that may be there or not.
    private static final byte[] KEY = {0};

    /// End of a range with no other key: the first value of a store may be larger than the free heap.
    private static final byte[] NEXT_KEY = {0, 0};

    /// An engine that takes longer than this is not waited for.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    // Constant.
    private final CountDownLatch settled = new CountDownLatch(1);

    private ClassPreloader(CompletionQueue mailbox) {
        super(mailbox);
    }

    /// Runs one range and one get where such calls run when they may block. For the thread that starts the node.
    static void all(RequestHandler handler, CallExecutor executor) {
        run(handler, executor, Request.Scan.between(KEY, NEXT_KEY, 1));
        run(handler, executor, new Request.Get(KEY, Precondition.Plain.NONE));
    }

    private static void run(RequestHandler handler, CallExecutor executor, Request request) {
        ClassPreloader call =
                new ClassPreloader(new CompletionQueue(Runnable::run, new LoopAdmission(false, 1), handler));
        call.begin(request);
        executor.force(call);
        try {
            call.settled.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void settled(Outcome settledAs) {
        abandon(); // whether it is still waited for or not: its claim goes, and a range lets its snapshot go
        settled.countDown();
    }
}
