package kvant.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import kvant.engine.MetricSink;
import kvant.server.admit.ClientMemory;
import kvant.server.http.answer.ResponseWriter;
import kvant.server.http.contract.Exposure;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Route;
import kvant.server.http.tls.TlsFront;
import kvant.server.request.PageSource;
import kvant.server.resp.Commands;
import kvant.server.resp.RespFigures;
import kvant.server.resp.ScriptLimits;
import kvant.server.service.RequestHandler;
import org.jspecify.annotations.Nullable;

/// The listening socket, its event loops and their connections.
///
///     one acceptor loop --accepted channel--> event loop 1..N, each with a [LoopContext] and its
///     [OpenConnections]
///
/// The acceptor has a loop of its own, so that a busy loop does not keep the other ones from getting connections.
/// [#drain], [#abort] and [#close] are called by the owner, in this order, from a thread that is no event loop.
public final class HttpServer implements AutoCloseable {

    /// Connections that the kernel holds before they are accepted.
    private static final int BACKLOG = 1024;

    /// Pool chunks of 512 KiB: small enough for a heap of 128 MiB, large enough for every piece read or
    /// written.
    private static final int PAGE_BYTES = 8 << 10;

    private static final int MAX_ORDER = 6;

    /// Sizes of receive buffers, adapted to the last reads between the two bounds. Only the largest ones are cached
    /// by a loop; no connection keeps one while it waits for its client.
    private static final int LEAST_RECEIVE_BYTES = 1 << 10;

    private static final int FIRST_RECEIVE_BYTES = 2 << 10;
    private static final int MOST_RECEIVE_BYTES = 32 << 10;

    /// Buffers of one size that a loop keeps for itself.
    private static final int SMALL_CACHE = 256;

    private static final int NORMAL_CACHE = 64;

    private static final long ABORT_WAIT_SECONDS = 2;

    static {
        // Netty follows one buffer in 128 by a stack trace, which is 2 % of a hot get. The tests follow all of them.
        if (System.getProperty("io.netty.leakDetection.level") == null) {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        }
    }

    // Constant.
    private final EventLoopGroup acceptors;
    private final EventLoopGroup group;
    private final Map<EventExecutor, OpenConnections> loops = new IdentityHashMap<>();
    private final ConnectionLimiter gate;
    private final FailureLog failures = new FailureLog();
    private final PooledByteBufAllocator allocator;
    private final ListenOptions listen;
    private final HttpLimits limits;
    private final RequestHandler handler;
    private final InstantSource clock;
    private final RespFigures respFigures = new RespFigures();
    private final Channel listener;

    // The owner's.
    private @Nullable Channel respListener;

    /// Binds and begins to answer.
    ///
    /// @throws IOException when the address cannot be bound
    public HttpServer(
            ListenOptions listen,
            HttpLimits limits,
            ClientMemory memory,
            RequestHandler handler,
            InstantSource clock,
            Map<Route, PageSource> pages)
            throws IOException {
        ResponseWriter.prepare();
        this.listen = listen;
        this.limits = limits;
        this.handler = handler;
        this.clock = clock;
        Transport transport = listen.transport();
        int eventLoops = listen.eventLoops();
        allocator = new PooledByteBufAllocator(
                true, 0, eventLoops, PAGE_BYTES, MAX_ORDER, SMALL_CACHE, NORMAL_CACHE, false);
        gate = new ConnectionLimiter(limits.maxConnections(), limits.maxConnectionsPerAddress(), loops.values());
        group = new MultiThreadIoEventLoopGroup(
                eventLoops,
                new DefaultThreadFactory(listen.name() + "-loop"),
                transport.handlers(allocator, transport.receiveBuffers(eventLoops, limits.maxUnreadBytes())));
        acceptors = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory(listen.name() + "-accept"), transport.handlers(allocator, 0));
        int share = Math.max(1, limits.maxInFlight() / eventLoops);
        for (EventExecutor loop : group) {
            LoopContext context =
                    new LoopContext(loop, handler, limits, memory, clock, pages, listen.exposure(), share);
            loops.put(loop, new OpenConnections(loop, context, failures, listen.tls()));
        }
        try {
            listener = bind(listen.address(), _ -> null);
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /// Speaks RESP at a second address: same loops, same bounds, one count of connections.
    ///
    /// @param version of the program, for clients
    /// @param engine its name, for clients
    /// @throws IOException when the address cannot be bound
    public void listenResp(SocketAddress address, String version, String engine, ScriptLimits script)
            throws IOException {
        Commands commands = new Commands(
                clock,
                listen.exposure().paths(),
                version,
                engine,
                respFigures,
                limits,
                handler.marks(),
                script,
                Commands.scriptThreads());
        Map<EventExecutor, RespDialect> dialects = new IdentityHashMap<>();
        loops.forEach((loop, open) -> dialects.put(loop, new RespDialect(open.loop, commands)));
        respListener = bind(address, dialects::get);
    }

    private Channel bind(SocketAddress address, Function<EventExecutor, @Nullable RespDialect> dialects)
            throws IOException {
        ChannelFuture bound = bootstrap(dialects).bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw bound.cause() instanceof IOException e ? e : new IOException(bound.cause());
        }
        return bound.channel();
    }

    /// The listening port; 0 for a Unix socket.
    public int port() {
        return portOf(listener);
    }

    /// The port for RESP; 0 where there is none.
    public int respPort() {
        return respListener == null ? 0 : portOf(respListener);
    }

    private static int portOf(Channel channel) {
        return channel.localAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
    }

    /// Open connections.
    public int connections() {
        return gate.open();
    }

    public void measure(MetricSink sink) {
        gate.measure(sink);
        failures.measure(sink);
        sink.gauge(
                "kvant_direct_memory_bytes",
                "Memory outside of the heap that buffers of connections take.",
                allocator.metric().usedDirectMemory());
        long mostDirect = PlatformDependent.maxDirectMemory();
        sink.gauge("kvant_direct_memory_max_bytes", "How much of it they may take.", mostDirect);
        respFigures.measure(sink);
    }

    /// Stops accepting, has every connection close after its answers to the requests read so far, and waits for that.
    ///
    /// @return whether no connection is left
    public boolean drain(Duration timeout) throws InterruptedException {
        listener.close().sync();
        if (respListener != null) {
            respListener.close().sync();
        }
        onEachLoop(OpenConnections::drain); // behind the registration of the connection accepted last
        return gate.awaitNone(timeout.toNanos());
    }

    /// Closes the connections that are left, answered or not.
    public void abort() throws InterruptedException {
        onEachLoop(OpenConnections::abort);
        gate.awaitNone(TimeUnit.SECONDS.toNanos(ABORT_WAIT_SECONDS));
    }

    /// Ends the event loops.
    @Override
    public void close() {
        acceptors.shutdownGracefully(0, ABORT_WAIT_SECONDS, TimeUnit.SECONDS);
        group.shutdownGracefully(0, ABORT_WAIT_SECONDS, TimeUnit.SECONDS);
        acceptors.terminationFuture().awaitUninterruptibly(ABORT_WAIT_SECONDS, TimeUnit.SECONDS);
        group.terminationFuture().awaitUninterruptibly(ABORT_WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private void onEachLoop(Consumer<OpenConnections> action) throws InterruptedException {
        for (Map.Entry<EventExecutor, OpenConnections> loop : loops.entrySet()) {
            // A loop that is stuck in a synchronous engine call is not waited for beyond the time of an
            // abort.
            loop.getKey().submit(() -> action.accept(loop.getValue())).await(ABORT_WAIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private ServerBootstrap bootstrap(Function<EventExecutor, @Nullable RespDialect> dialects) {
        int high = limits.writeHighWaterBytes();
        RecvByteBufAllocator receiveBuffers =
                new AdaptiveRecvByteBufAllocator(LEAST_RECEIVE_BYTES, FIRST_RECEIVE_BYTES, MOST_RECEIVE_BYTES);
        ServerBootstrap bootstrap = new ServerBootstrap();
        if (listen.address() instanceof InetSocketAddress) {
            listen.transport().configure(bootstrap, limits.kernelUnsentBytes());
            bootstrap
                    .channel(listen.transport().serverChannel())
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        } else {
            bootstrap.channel(NioServerDomainSocketChannel.class);
        }
        return bootstrap
                .group(acceptors, group)
                .handler(gate)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, receiveBuffers)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(high / 2, high))
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        OpenConnections loop = Objects.requireNonNull(loops.get(channel.eventLoop()));
                        loop.open(channel, dialects.apply(channel.eventLoop()));
                    }
                });
    }

    /// The address and settings of a listener.
    ///
    /// @param address of a network, or of a Unix socket, for which there is the transport NIO alone
    /// @param eventLoops threads that read and write sockets
    /// @param name of those threads
    /// @param exposure routes, permissions and names of the listener
    /// @param tls secures connections, or null
    public record ListenOptions(
            SocketAddress address,
            Transport transport,
            int eventLoops,
            String name,
            Exposure exposure,
            @Nullable TlsFront tls) {}
}
