package kvant.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Counts connections from the moment they are accepted, stops accepting while there are as many as there
/// may be, and tells when none is left.
///
/// Who is not accepted waits in the kernel's backlog, which costs no memory here. A handler of the
/// listening channel; any thread may call the rest. Connections come and go too rarely for the lock to
/// matter. (NIO accepts in batches of 16 and may overshoot by as many.)
final class ConnectionGate extends ChannelInboundHandlerAdapter {

    // Constant.
    private final int maxConnections;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();

    // Guarded by the lock.
    private int open;
    private @Nullable Channel acceptor;

    ConnectionGate(int maxConnections) {
        this.maxConnections = maxConnections;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        lock.lock();
        try {
            acceptor = ctx.channel();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object accepted) {
        count(1);
        ((Channel) accepted).closeFuture().addListener(_ -> count(-1));
        ctx.fireChannelRead(accepted);
    }

    int open() {
        lock.lock();
        try {
            return open;
        } finally {
            lock.unlock();
        }
    }

    /// @return whether no connection is left
    boolean awaitNone(long timeoutNanos) throws InterruptedException {
        lock.lock();
        try {
            long left = timeoutNanos;
            while (open > 0 && left > 0) {
                left = none.awaitNanos(left);
            }
            return open == 0;
        } finally {
            lock.unlock();
        }
    }

    private void count(int difference) {
        lock.lock();
        try {
            open += difference;
            update();
            if (open == 0) {
                none.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void update() {
        if (acceptor != null && acceptor.config().isAutoRead() != open < maxConnections) {
            acceptor.config().setAutoRead(open < maxConnections);
        }
    }
}
