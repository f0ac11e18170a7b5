package kvant.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
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
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The ways in which event loops do network I/O.
public enum Transport {
    EPOLL,
    NIO,
    IO_URING;

    /// A multishot accept would run ahead of [ConnectionLimiter], and take the descriptors that files need.
    private static final String ACCEPT_MULTISHOT = "io.netty.iouring.acceptMultiShotEnabled";

    static {
        if (System.getProperty(ACCEPT_MULTISHOT) == null) {
            System.setProperty(ACCEPT_MULTISHOT, "false"); // before Netty's class looks at it
        }
    }

    private static final short RECEIVE_GROUP = 0;

    /// As much as epoll reads of one socket before it turns to the next.
    private static final int RECEIVE_BYTES = 8 << 10;

    private static final int LEAST_RECEIVE_BUFFERS = 8;
    private static final int MOST_RECEIVE_BUFFERS = 128;
    private static final int RECEIVE_SHARE = 4;

    /// Entries of the submission queue; beyond them the kernel is entered once more. [#COMPLETIONS] has room for one
    /// of each connection.
    private static final int SUBMISSIONS = 512;

    private static final int COMPLETIONS = 32 << 10;

    /// The first that this machine has of io_uring, epoll and NIO. io_uring counts with multishot receive (Linux 6.0)
    /// alone: before, it costs more than epoll.
    public static Transport best() {
        if (IoUring.isAvailable() && IoUring.isRecvMultishotEnabled()) {
            return IO_URING;
        }
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

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

    /// Buffers that each event loop holds to receive into, before a client has sent anything; 0 where a loop allocates
    /// one for each read. All together take at most a quarter of the memory for unread input.
    public int receiveBuffers(int eventLoops, long maxUnreadBytes) {
        long share = maxUnreadBytes / RECEIVE_SHARE / eventLoops / RECEIVE_BYTES;
        return this == IO_URING
                ? (int) Long.highestOneBit(Math.clamp(share, LEAST_RECEIVE_BUFFERS, MOST_RECEIVE_BUFFERS))
                : 0;
    }

    /// The remaining bound on unread input of clients, after those buffers.
    public long unreadBytes(int eventLoops, long maxUnreadBytes) {
        long held = (long) eventLoops * RECEIVE_BYTES * receiveBuffers(eventLoops, maxUnreadBytes);
        return Math.max(maxUnreadBytes - held, maxUnreadBytes / 2);
    }

    /// @param receiveBuffers of each loop; 0 for loops that only accept
    IoHandlerFactory handlers(ByteBufAllocator allocator, int receiveBuffers) {
        return switch (this) {
            case EPOLL -> EpollRegistrations.factory();
            case NIO -> NioIoHandler.newFactory();
            case IO_URING -> IoUringIoHandler.newFactory(rings(allocator, receiveBuffers));
        };
    }

    private static IoUringIoHandlerConfig rings(ByteBufAllocator allocator, int receiveBuffers) {
        IoUringIoHandlerConfig rings =
                new IoUringIoHandlerConfig().setRingSize(SUBMISSIONS).setCqSize(COMPLETIONS);
        return receiveBuffers == 0
                ? rings
                : rings.setBufferRingConfig(IoUringBufferRingConfig.builder()
                        .bufferGroupId(RECEIVE_GROUP)
                        .bufferRingSize((short) receiveBuffers)
                        .batchSize(receiveBuffers / 4)
                        .batchAllocation(false)
                        .allocator(new IoUringFixedBufferRingAllocator(allocator, RECEIVE_BYTES))
                        .build());
    }

    /// Makes connections receive into the buffers of their event loop: one that waits for its client holds none.
    void shareBuffers(ServerBootstrap bootstrap) {
        if (this == IO_URING) {
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

    /// Bounds the unsent bytes that the kernel accepts for a connection. Sockets of the JDK know only a bound on all
    /// bytes that the kernel holds, including those in flight: so it gets twice as much.
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

    /// Netty's epoll handler that keeps idle descriptors registered. From 4.2.13 on Netty removes a descriptor
    /// without interests from epoll and modifies it later (netty pull request 16689). That fails with ENOENT
    /// and shuts the output of a client that half-closed and reads a large answer.
    private record EpollRegistrations(IoHandler netty) implements IoHandler {

        static IoHandlerFactory factory() {
            IoHandlerFactory netty = EpollIoHandler.newFactory();
            return executor -> new EpollRegistrations(netty.newHandler(executor));
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return new Kept(netty.register(handle));
        }

        @Override
        public void initialize() {
            netty.initialize();
        }

        @Override
        public int run(IoHandlerContext context) {
            return netty.run(context);
        }

        @Override
        public void prepareToDestroy() {
            netty.prepareToDestroy();
        }

        @Override
        public void destroy() {
            netty.destroy();
        }

        @Override
        public void wakeup() {
            netty.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> handleType) {
            return netty.isCompatible(handleType);
        }

        private record Kept(IoRegistration registration) implements IoRegistration {

            /// Errors, which epoll always reports, stand for no interest.
            @Override
            public long submit(IoOps ops) {
                return registration.submit(ops.equals(EpollIoOps.NONE) ? EpollIoOps.EPOLLERR : ops);
            }

            @Override
            public <T> T attachment() {
                return registration.attachment();
            }

            @Override
            public boolean isValid() {
                return registration.isValid();
            }

            @Override
            public boolean cancel() {
                return registration.cancel();
            }
        }
    }
}
