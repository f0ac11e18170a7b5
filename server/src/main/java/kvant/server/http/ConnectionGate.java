package kvant.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Counts connections from the moment they are accepted, and tells when none is left.
///
/// One more than there may be is accepted, and no further one until another has made room for it: who
/// waits for its client has to go ([Crowd]). Where all of them are busy, clients wait in the kernel's
/// backlog, which costs no memory here. Where an address may have so many connections only, further ones
/// are closed at once. When the process has no descriptor left for another connection, accepting pauses
/// until one closes or a moment has passed: the kernel would report the waiting client again and again. A
/// handler of the listening channels, which share the bound; any thread may call the rest. Connections come and
/// go too rarely for the lock to matter. (NIO accepts in batches of 16 and may overshoot by as many.)
@Sharable
final class ConnectionGate extends ChannelInboundHandlerAdapter {

    private static final Logger LOGGER = System.getLogger(ConnectionGate.class.getName());
    /// The open connections of all loops.
    interface Crowd {

        /// Has this many connections that wait for their clients closed, soon, as far as there are such.
        void thin(int connections);
    }

    private static final Duration PAUSE = Duration.ofMillis(500);

    /// One line at most in this time, however often accepting fails.
    private static final long LOG_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

    // Constant.
    private final int maxConnections;
    private final int maxPerAddress;
    private final Crowd crowd;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();

    // Guarded by the lock.
    private final Map<InetAddress, Integer> openByAddress = new HashMap<>(); // where that is bounded
    private int open;
    private boolean paused;
    private boolean looksAgain;
    private long failures;
    private long refused;
    private long loggedNanos = System.nanoTime() - LOG_EVERY_NANOS;
    private final List<Channel> acceptors = new ArrayList<>();

    /// @param maxPerAddress 0 for no such bound
    ConnectionGate(int maxConnections, int maxPerAddress, Crowd crowd) {
        this.maxConnections = maxConnections;
        this.maxPerAddress = maxPerAddress;
        this.crowd = crowd;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        lock.lock();
        try {
            acceptors.add(ctx.channel());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object accepted) {
        Channel channel = (Channel) accepted;
        InetAddress address = maxPerAddress > 0 ? addressOf(channel) : null;
        if (address != null && !enter(address)) {
            channel.unsafe().closeForcibly();
            return;
        }
        int excess = count(1);
        channel.closeFuture().addListener(_ -> left(address));
        ctx.fireChannelRead(accepted);
        if (excess > 0) {
            crowd.thin(1);
            lookAgain(ctx.executor());
        }
    }

    private static @Nullable InetAddress addressOf(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
    }

    private boolean enter(InetAddress address) {
        lock.lock();
        try {
            int others = openByAddress.getOrDefault(address, 0);
            if (others >= maxPerAddress) {
                refused++;
                return false;
            }
            openByAddress.put(address, others + 1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void left(@Nullable InetAddress address) {
        if (address != null) {
            lock.lock();
            try {
                openByAddress.computeIfPresent(address, (_, others) -> others > 1 ? others - 1 : null);
            } finally {
                lock.unlock();
            }
        }
        count(-1);
    }

    /// A connection that is busy now may wait for its client later.
    private void lookAgain(EventExecutor executor) {
        lock.lock();
        try {
            if (looksAgain) {
                return;
            }
            looksAgain = true;
        } finally {
            lock.unlock();
        }
        executor.schedule(() -> makeRoom(executor), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void makeRoom(EventExecutor executor) {
        int excess;
        lock.lock();
        try {
            looksAgain = false;
            excess = open - maxConnections;
        } finally {
            lock.unlock();
        }
        if (excess > 0) {
            crowd.thin(excess);
            lookAgain(executor);
        }
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

    /// How many connections were closed because their address has as many as it may.
    long refused() {
        lock.lock();
        try {
            return refused;
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

    /// @return how many there are beyond those that there may be
    private int count(int difference) {
        lock.lock();
        try {
            open += difference;
            paused &= difference > 0; // one that closes leaves its descriptor
            update();
            if (open == 0) {
                none.signalAll();
            }
            return open - maxConnections;
        } finally {
            lock.unlock();
        }
    }

    private void update() {
        boolean wanted = open <= maxConnections && !paused;
        for (Channel acceptor : acceptors) {
            if (acceptor.config().isAutoRead() != wanted) {
                acceptor.config().setAutoRead(wanted);
            }
        }
    }
}
