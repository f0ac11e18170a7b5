package kvant.server.execute;

import java.util.Set;
import kvant.server.admit.RequestKind;

/// An executor that runs non-blocking calls on the event loop, and hands the others to a pool.
///
///     get   --in memory------------------> answered on the loop, at once
///           --would block----------------> pool
///           --engine answers later-------> engine, answered through the mailbox
///     write -----------------------------> group commit, answered in batches through the mailbox
///     batch -----------------------------> pool, and from there to group commit
///     short range  --in memory-----------> answered on the loop, at once
///                  --would block---------> pool
///     long range, and each of its rounds > pool of their own
///
/// Where the engine answers later, the rounds of a range wait on virtual threads instead.
///
/// A range is short if it asks for few records, or if it turns out to have few: it costs as little as a get or two,
/// and refusing it would cost as much as answering it.
///
/// So reads from memory need no hand-off, and reads from disk stall no loop. Workers that wait for a disk may
/// outnumber the cores. Those of ranges keep a core busy: more of them would only keep the event loops from their
/// cores, so they are few and give way to event loops ([Niceness]).
public final class AdaptiveExecutor extends SplitExecutor {

    /// @param pool for calls that would block
    /// @param ranges for calls that keep a core busy
    public AdaptiveExecutor(CallExecutor pool, CallExecutor ranges) {
        super(pool, ranges, Set.of(RequestKind.RANGE));
    }

    @Override
    public boolean submit(RunnableCall call) {
        return switch (call.tryRun(this)) {
            case DONE -> {
                call.arrive();
                yield true;
            }
            case UNDER_WAY -> true;
            case WOULD_BLOCK -> first.submit(call);
            case TAKES_LONG -> second.submit(call);
        };
    }
}
