package kvant.server.supervise;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.FileNotFoundException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Notifies a service manager of the node's state, as sd_notify(3) describes it: systemd with `Type=notify` counts a
/// node as started at its notification, and not when its process exists.
///
/// The manager listens on a Unix datagram socket, which the JDK cannot open; Netty's epoll transport can. There is no
/// answer. A node that cannot notify serves all the same, and only logs the failure.
public final class ServiceManager {

    /// Environment variable with the socket of the manager.
    private static final String VARIABLE = "NOTIFY_SOCKET";

    /// A manager whose queue is full for so long is not waited for.
    private static final long SEND_SECONDS = 5;

    // Constant.
    private final System.Logger log;
    private final @Nullable String socket;

    /// @param environment names the manager's socket; without one, no notification is sent
    ServiceManager(System.Logger log, Map<String, String> environment) {
        this.log = log;
        String name = environment.getOrDefault(VARIABLE, "");
        socket = name.isEmpty() ? null : name;
    }

    /// The one that started this process, if any.
    public static ServiceManager own() {
        return new ServiceManager(System.getLogger(ServiceManager.class.getName()), System.getenv());
    }

    /// Reports that the node serves.
    ///
    /// @param status for people, in one line
    public void ready(String status) {
        tell("READY=1\nSTATUS=" + status);
    }

    /// Reports that the node has begun to stop.
    public void stopping() {
        tell("STOPPING=1\nSTATUS=answering accepted requests");
    }

    private void tell(String state) {
        if (socket == null) {
            return;
        }
        try {
            send(socket, state);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (Exception e) { // Netty throws what the system call failed with, declared or not
            log.log(
                    System.Logger.Level.WARNING,
                    "cannot tell the service manager at " + socket + " that "
                            + state.lines().findFirst().orElse("") + ": " + reason(e));
        }
    }

    /// Over a thread of its own for as long as it takes: two messages in the life of a node need none that
    /// stays.
    private static void send(String socket, String state) throws Exception {
        if (!Epoll.isAvailable()) {
            throw new UnsupportedOperationException("the epoll transport does not load here");
        }
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        try {
            Channel channel = new Bootstrap()
                    .group(group)
                    .channel(EpollDomainDatagramChannel.class)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(address(socket))
                    .sync()
                    .channel();
            byte[] bytes = state.getBytes(StandardCharsets.UTF_8);
            ChannelFuture sent = channel.writeAndFlush(Unpooled.wrappedBuffer(bytes));
            if (!sent.await(SEND_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("it takes nothing for " + SEND_SECONDS + " s");
            }
            sent.sync(); // rethrows its failure
            channel.close().sync();
        } finally {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        }
    }

    /// Netty's exceptions of a socket that is not there have no text of their own.
    private static String reason(Exception e) {
        return e instanceof FileNotFoundException ? "No such file or directory" : String.valueOf(e.getMessage());
    }

    /// A name that begins with `@` is in the abstract namespace of the kernel, where it begins with a zero
    /// byte.
    private static DomainSocketAddress address(String socket) {
        return new DomainSocketAddress(socket.startsWith("@") ? '\0' + socket.substring(1) : socket);
    }
}
