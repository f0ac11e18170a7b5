package kvant.server.http;

import io.netty.channel.Channel;
import java.util.concurrent.Executor;
import kvant.server.admit.Claim;
import kvant.server.http.parse.InputReader;

/// What a connection holds of what its client has sent, and whether it gets on with it: who does not goes
/// first where others need the memory.
///
/// Owned by the connection's event loop, but for the call to leave, which may come from any thread.
final class HeldInput {

    // Constant.
    private final LoopContext loop;
    private final Executor executor;
    private final Runnable leave;
    private final Claim unread;
    private final Claim body;
    private final BodyWatch bodyWatch;

    /// @param executor runs tasks on the event loop
    /// @param leave called on the event loop: others have been given what it holds
    HeldInput(LoopContext loop, Executor executor, Runnable leave) {
        this.loop = loop;
        this.executor = executor;
        this.leave = leave;
        this.unread = new Claim(loop.unread(), this::leaveSoon);
        this.body = new Claim(loop.bodies(), this::leaveSoon);
        this.bodyWatch = new BodyWatch(loop.clock(), loop.limits(), body);
    }

    /// The reader that fills it.
    InputReader reader(Dialect dialect, Channel channel, Pipeline pipeline) {
        return dialect.reader(channel, loop, pipeline, unread, body);
    }

    /// What has waited unread for a tick is slow, whoever it waits for.
    ///
    /// @param sinceTicks since when nothing of it was read
    void lookAtUnread(long sinceTicks) {
        if (loop.clock().ticks() - sinceTicks > 1) {
            unread.slow();
        } else {
            unread.getsOn();
        }
    }

    /// @param awaited whether the client is to send a body now
    /// @param request the number of the request that is being read
    /// @param receivedBytes all that the connection has received
    /// @return whether a body is to be broken off
    boolean isBodyTooSlow(boolean awaited, long request, long receivedBytes) {
        if (!awaited) {
            bodyWatch.rest();
            return false;
        }
        return bodyWatch.isTooSlow(request, receivedBytes);
    }

    private void leaveSoon() {
        executor.execute(() -> {
            if (unread.isLeaving() || body.isLeaving()) { // else it has let go since
                leave.run();
            }
        });
    }
}
