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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import kvant.engine.MetricSink;
import org.jspecify.annotations.Nullable;

/// A counter and bound of connections, from the moment they are accepted; it also reports when none is left.
///
/// One connection more than the bound is accepted. No further one is accepted until a place is free: the connection
/// that has waited for its client the longest is closed, on whichever loop it is. While all of them are busy, clients
/// wait in the kernel's backlog, which costs no memory here. With a bound per address, further connections of that
/// address are closed at once. When the process has no descriptor left for another connection, accepting pauses until
/// one closes or a moment has passed: the kernel would report the waiting client again and again. A handler of the
/// listening channels, which share the bound; any thread may call the rest. Connections come and go too rarely for
/// the lock to matter. (NIO accepts in batches of 16 and may exceed the bound by as many.)
@Sharable
final class ConnectionLimiter extends ChannelInboundHandlerAdapter {

    private static final Logger LOGGER = System.getLogger(ConnectionLimiter.class.getName());
    private static final Duration PAUSE = Duration.ofMillis(500);

    /// Interval of log lines, however often accepting fails.
    private static final long LOG_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

    // Constant.
    private final int maxConnections;
    private final int maxPerAddress;
    private final Collection<OpenConnections> loops;

    // Guarded by this.
    private final Map<InetAddress, Integer> openByAddress = new HashMap<>(); // where that is bounded
    private final List<Channel> acceptors = new ArrayList<>();
    private int open;
    private boolean paused;
    private boolean looksAgain;
    private long failures;
    private long refused;
    private long loggedNanos = System.nanoTime() - LOG_EVERY_NANOS;

    /// @param maxPerAddress 0 for no such bound
    /// @param loops a view: they are opened later
    ConnectionLimiter(int maxConnections, int maxPerAddress, Collection<OpenConnections> loops) {
        this.maxConnections = maxConnections;
        this.maxPerAddress = maxPerAddress;
        this.loops = loops;
    }

    // --- Accepting ---

    @Override
    public synchronized void handlerAdded(ChannelHandlerContext ctx) {
        acceptors.add(ctx.channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object accepted) {
        Channel channel = (Channel) accepted;
        InetAddress address = maxPerAddress > 0 && channel.remoteAddress() instanceof InetSocketAddress remote
                ? remote.getAddress()
                : null;
        if (address != null && !enter(address)) {
            channel.unsafe().closeForcibly();
            return;
        }
        int excess = count(1);
        channel.closeFuture().addListener(_ -> left(address));
        ctx.fireChannelRead(accepted);
        if (excess > 0) {
            closeIdle(1);
            lookAgain(ctx.executor());
        }
    }

    private synchronized boolean enter(InetAddress address) {
        int others = openByAddress.getOrDefault(address, 0);
        if (others >= maxPerAddress) {
            refused++;
            return false;
        }
        openByAddress.put(address, others + 1);
        return true;
    }

    private synchronized void left(@Nullable InetAddress address) {
        if (address != null) {
            openByAddress.computeIfPresent(address, (_, others) -> others > 1 ? others - 1 : null);
        }
        count(-1);
    }

    /// @return number of connections beyond the bound
    private synchronized int count(int difference) {
        open += difference;
        paused &= difference > 0; // one that closes leaves its descriptor
        update();
        if (open == 0) {
            notifyAll();
        }
        return open - maxConnections;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            pause(cause);
            ctx.executor().schedule(this::resume, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } else {
            ctx.fireExceptionCaught(cause);
        }
    }

    private synchronized void pause(Throwable cause) {
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
    }

    private synchronized void resume() {
        paused = false;
        update();
    }

    private void update() {
        boolean wanted = open <= maxConnections && !paused;
        for (Channel acceptor : acceptors) {
            if (acceptor.config().isAutoRead() != wanted) {
                acceptor.config().setAutoRead(wanted);
            }
        }
    }

    // --- Making room ---

    /// Checks again later, because a connection that is busy now may then wait for its client.
    private synchronized void lookAgain(EventExecutor executor) {
        if (!looksAgain) {
            looksAgain = true;
            executor.schedule(() -> makeRoom(executor), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void makeRoom(EventExecutor executor) {
        int excess;
        synchronized (this) {
            looksAgain = false;
            excess = open - maxConnections;
        }
        if (excess > 0) {
            closeIdle(excess);
            lookAgain(executor);
        }
    }

    /// Has up to this many connections closed soon that wait for their clients.
    private void closeIdle(int connections) {
        for (int i = 0; i < connections; i++) {
            closeOldest(loops.size());
        }
    }

    /// Closes one on the loop with the longest waiting connection; if that loop has none any more, on another.
    private void closeOldest(int tries) {
        OpenConnections chosen = null;
        long longest = 0;
        for (OpenConnections loop : loops) {
            if (loop.longestWaitTicks > longest) {
                longest = loop.longestWaitTicks;
                chosen = loop;
            }
        }
        OpenConnections loop = chosen;
        if (loop == null || tries == 0) {
            return;
        }
        try {
            loop.executor.execute(() -> {
                if (!loop.closeOldest()) {
                    closeOldest(tries - 1);
                }
            });
        } catch (RejectedExecutionException _) { // the node ends, and its connections with it
            return;
        }
    }

    // --- For the owner ---

    synchronized int open() {
        return open;
    }

    synchronized void measure(MetricSink sink) {
        sink.gauge("kvant_connections", "Open connections.", open);
        sink.counter(
                "kvant_accept_failures_total",
                "Connections that could not be accepted for want of a file descriptor.",
                failures);
        long full = loops.stream().mapToLong(loop -> loop.closedForOthers).sum();
        String closed = "Connections closed to make room when the limit was reached.";
        sink.counter("kvant_connections_closed_total", closed, full, "cause", "full");
        sink.counter("kvant_connections_closed_total", closed, refused, "cause", "address");
    }

    /// @return whether no connection is left
    synchronized boolean awaitNone(long timeoutNanos) throws InterruptedException {
        long endNanos = System.nanoTime() + timeoutNanos;
        for (long left = timeoutNanos; open > 0 && left > 0; left = endNanos - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return open == 0;
    }
}
