package kvant.server.service;

import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Function;
import kvant.engine.Engine;

/// The node without its sockets: takes requests from event loops, brings outcomes back to them.
///
/// Every method but [#close] is called on the event loop that owns the call. A call that was submitted is
/// settled exactly once per round, whatever the engine or the executor does. Does not own the engine.
public final class Service implements AutoCloseable {

    /// The embedded engine holds one copy of each key.
    private static final int REPLICAS = 1;

    // Constant.
    private final UseCases useCases;
    private final CallExecutor executor;

    private Service(UseCases useCases, Function<UseCases, CallExecutor> executor) {
        this.useCases = useCases;
        this.executor = executor.apply(useCases);
    }

    /// A service that runs every call on its event loop.
    ///
    /// @param scanRoundBytes about how much a scan pulls in one round
    /// @param answers memory for values on their way out
    public static Service sync(Engine engine, InstantSource clock, int scanRoundBytes, MemoryBudget answers) {
        return new Service(new UseCases(engine, clock, scanRoundBytes, answers), SyncExecutor::new);
    }

    /// A service that runs calls on a fixed pool of workers.
    ///
    /// @param queue most calls that wait for a worker; [Integer#MAX_VALUE] for no bound of its own
    /// @param answers memory for values on their way out
    public static Service async(
            Engine engine, InstantSource clock, int scanRoundBytes, MemoryBudget answers, int workers, int queue) {
        return new Service(
                new UseCases(engine, clock, scanRoundBytes, answers),
                useCases -> new PoolExecutor(useCases, workers, queue));
    }

    /// The mailbox of an event loop; each loop needs one of its own for its calls.
    public LoopMailbox mailbox(Executor loop) {
        return new LoopMailbox(loop);
    }

    /// How many replicas a request may ask for.
    public int replicas() {
        return REPLICAS;
    }

    /// Has a request carried out; the call is settled on its loop, perhaps from within this method.
    public void submit(Call call, Request request) {
        call.begin(request);
        if (request == Request.Probe.ALIVE) {
            call.end(Outcome.Plain.ALIVE);
        } else if (request == Request.Probe.READY) {
            executor.force(call); // a full queue does not make the engine unready
        } else if (!executor.submit(call)) {
            call.end(Failures.OVERLOADED);
        }
    }

    /// Asks for the next round of a scan, after a batch that was not the last.
    public void resume(Call call) {
        call.begin(call.request());
        executor.force(call);
    }

    /// The client has gone: the call will not be settled any more, and what it holds is released.
    public void abandon(Call call) {
        call.abandon();
    }

    /// Scans that hold a snapshot.
    public int openScans() {
        return useCases.openScans();
    }

    /// Ends the workers. Call it when no event loop submits any more.
    @Override
    public void close() {
        executor.close();
        useCases.closeScans();
    }
}
