package kvant.server.http;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
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
