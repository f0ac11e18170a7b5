package kvant.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
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
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import org.jspecify.annotations.Nullable;

/// How event loops talk to the kernel.
public enum Transport {
    EPOLL,
    NIO,
    IO_URING;

    private static final short RECEIVE_GROUP = 0;

    /// The first that this machine has of io_uring, epoll and NIO. io_uring counts with multishot receive (Linux 6.0)
    /// alone: before, it costs more than epoll.
    public static Transport best() {
        if (IoUring.isAvailable() && IoUring.isRecvMultishotEnabled()) {
            return IO_URING;
        }
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

    /// For event loops that receive into buffers of the allocator, or that only accept.
    IoHandlerFactory handlers(@Nullable ByteBufAllocator receive) {
        return switch (this) {
            case EPOLL -> EpollIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
            case IO_URING -> IoUringIoHandler.newFactory(rings(receive));
        };
    }

    private static IoUringIoHandlerConfig rings(@Nullable ByteBufAllocator receive) {
        IoUringIoHandlerConfig rings = new IoUringIoHandlerConfig().setRingSize(512).setCqSize(16_384);
        String kind = System.getProperty("kvant.uring", "ring");
        if (receive != null && !kind.equals("plain")) {
            boolean inc = kind.equals("inc");
            rings.setBufferRingConfig(IoUringBufferRingConfig.builder()
                    .bufferGroupId(RECEIVE_GROUP)
                    .bufferRingSize((short) (inc ? 64 : 256))
                    .batchSize(inc ? 32 : 64)
                    .incremental(inc)
                    .allocator(new IoUringFixedBufferRingAllocator(receive, inc ? 32 << 10 : 4 << 10))
                    .batchAllocation(false)
                    .build());
        }
        return rings;
    }

    /// Has connections receive into the buffers of their event loop.
    void shareBuffers(ServerBootstrap bootstrap) {
        if (this == IO_URING && !System.getProperty("kvant.uring", "ring").equals("plain")) {
            bootstrap.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, RECEIVE_GROUP);
        }
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
