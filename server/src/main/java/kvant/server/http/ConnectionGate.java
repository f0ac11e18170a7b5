package kvant.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Counts connections from the moment they are accepted, stops accepting while there are as many as there
/// may be, and tells when none is left.
///
/// Who is not accepted waits in the kernel's backlog, which costs no memory here. When the process has no
/// descriptor left for another connection, accepting pauses until one closes or a moment has passed: the kernel
/// would report the waiting client again and again. A handler of the
/// listening channel; any thread may call the rest. Connections come and go too rarely for the lock to
/// matter. (NIO accepts in batches of 16 and may overshoot by as many.)
final class ConnectionGate extends ChannelInboundHandlerAdapter {

    private static final Logger LOGGER = System.getLogger(ConnectionGate.class.getName());
    private static final Duration PAUSE = Duration.ofMillis(500);

    /// One line at most in this time, however often accepting fails.
    private static final long LOG_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

    // Constant.
    private final int maxConnections;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();

    // Guarded by the lock.
    private int open;
    private boolean paused;
    private long failures;
    private long loggedNanos = System.nanoTime() - LOG_EVERY_NANOS;
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

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            ctx.fireExceptionCaught(cause);
            return;
        }
        lock.lock();
        try {
            failures++;
            paused = true;
            update();
            if (System.nanoTime() - loggedNanos >= LOG_EVERY_NANOS) {
                loggedNanos = System.nanoTime();
                LOGGER.log(
                        Level.WARNING,
                        "cannot accept connections beyond the {0} that are open ({1}): clients wait until one closes",
                        open,
                        cause.getMessage());
            }
        } finally {
            lock.unlock();
        }
        ctx.executor().schedule(this::resume, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// How often accepting failed.
    long failures() {
        lock.lock();
        try {
            return failures;
        } finally {
            lock.unlock();
        }
    }

    private void resume() {
        lock.lock();
        try {
            paused = false;
            update();
        } finally {
            lock.unlock();
        }
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
            paused &= difference > 0; // one that closes leaves its descriptor
            update();
            if (open == 0) {
                none.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void update() {
        boolean wanted = open < maxConnections && !paused;
        if (acceptor != null && acceptor.config().isAutoRead() != wanted) {
            acceptor.config().setAutoRead(wanted);
        }
    }
}
