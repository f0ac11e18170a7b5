package kvant.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How event loops talk to the kernel.
public enum Transport {
    EPOLL,
    NIO,
    IO_URING;

    /// Epoll where its native library loads, else NIO.
    public static Transport best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    /// Its name on the command line.
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Why this machine cannot use it, in one line, or null where it can.
    public @Nullable String obstacle() {
        return switch (this) {
            case EPOLL -> reason(Epoll.unavailabilityCause());
            case NIO -> null;
            case IO_URING -> reason(IoUring.unavailabilityCause());
        };
    }

    IoHandlerFactory handlers() {
        return switch (this) {
            case EPOLL -> EpollIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
            case IO_URING -> IoUringIoHandler.newFactory();
        };
    }

    Class<? extends ServerSocketChannel> serverChannel() {
        return switch (this) {
            case EPOLL -> EpollServerSocketChannel.class;
            case NIO -> NioServerSocketChannel.class;
            case IO_URING -> IoUringServerSocketChannel.class;
        };
    }

    /// Bounds what the kernel takes for a connection before it sends it. Sockets of the JDK know only a bound on all
    /// that the kernel holds, which also bounds what is under way: twice as much is asked of it.
    void boundUnsent(ServerBootstrap bootstrap, int bytes) {
        switch (this) {
            case EPOLL -> bootstrap.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) bytes);
            case IO_URING -> bootstrap.childOption(IoUringChannelOption.TCP_NOTSENT_LOWAT, (long) bytes);
            case NIO -> bootstrap.childOption(ChannelOption.SO_SNDBUF, 2 * bytes);
        }
    }

    private static @Nullable String reason(@Nullable Throwable cause) {
        if (cause == null) {
            return null;
        }
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        return message.lines().findFirst().orElse(message);
    }
}
