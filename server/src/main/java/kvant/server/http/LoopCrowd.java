package kvant.server.http;

import java.util.Collection;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The connections of all event loops, as the [ConnectionGate] sees them: where others need places, those
/// are closed that have waited for their clients for the longest, on whatever loop they are.
///
/// Any thread may call.
final class LoopCrowd implements ConnectionGate.Crowd {

    // Constant.
    private final Collection<OpenConnections> loops;

    LoopCrowd(Collection<OpenConnections> loops) {
        this.loops = loops;
    }

    @Override
    public void thin(int connections) {
        for (int i = 0; i < connections; i++) {
            closeOne(loops.size());
        }
    }

    /// On the loop where one has waited for longer than on the others; where that one has none after all,
    /// on another.
    private void closeOne(int tries) {
        OpenConnections chosen = withLongestWait();
        if (chosen == null || tries == 0) {
            return;
        }
        try {
            chosen.executor().execute(() -> {
                if (!chosen.closeOldest()) {
                    closeOne(tries - 1);
                }
            });
        } catch (RejectedExecutionException _) { // the node ends, and its connections with it
            return;
        }
    }

    private @Nullable OpenConnections withLongestWait() {
        OpenConnections chosen = null;
        long longest = 0;
        for (OpenConnections loop : loops) {
            if (loop.longestWaitTicks() > longest) {
                longest = loop.longestWaitTicks();
                chosen = loop;
            }
        }
        return chosen;
    }
}
