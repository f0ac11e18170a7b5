package kvant.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoEvent;
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
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringIoOps;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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

    // linux/io_uring.h, linux/poll.h
    private static final byte POLL_ADD = 6;
    private static final byte RECV = 27;
    private static final int POLLRDHUP = 0x2000;

    private static final VarHandle OPCODE = opcode();
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
            case EPOLL -> Corrected.handlers(EpollIoHandler.newFactory(), Correction.EPOLL);
            case NIO -> NioIoHandler.newFactory();
            case IO_URING ->
                Corrected.handlers(IoUringIoHandler.newFactory(rings(allocator, receiveBuffers)), Correction.IO_URING);
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

    Class<? extends ServerSocketChannel> serverChannel() {
        return switch (this) {
            case EPOLL -> EpollServerSocketChannel.class;
            case NIO -> NioServerSocketChannel.class;
            case IO_URING -> IoUringServerSocketChannel.class;
        };
    }

    /// Makes connections receive into buffers of their event loop, so that an idle one holds none, and bounds the
    /// unsent bytes that the kernel accepts for each. Sockets of the JDK know only a bound on all bytes that the
    /// kernel holds, including those in flight: so it gets twice as much.
    void configure(ServerBootstrap bootstrap, int bytes) {
        switch (this) {
            case EPOLL -> bootstrap.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) bytes);
            case IO_URING ->
                bootstrap
                        .childOption(IoUringChannelOption.TCP_NOTSENT_LOWAT, (long) bytes)
                        .childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, RECEIVE_GROUP);
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

    /// What Netty's handler gets in place of submissions and handles of its channels.
    private enum Correction {
        EPOLL {
            /// Errors, which epoll always reports, stand for no interest. From 4.2.13 on Netty removes such
            /// a descriptor and modifies it later (netty pull request 16689). That fails with ENOENT and
            /// shuts the output of a client that half-closed and reads a large answer.
            @Override
            IoOps of(IoOps ops, Channel channel) {
                return ops.equals(EpollIoOps.NONE) ? EpollIoOps.EPOLLERR : ops;
            }
        },
        IO_URING {
            /// A channel with auto-read off receives nothing. Netty 4.2.18 arms its receive again when the
            /// ring of buffers was exhausted, and when the client half-closed.
            @Override
            @Nullable
            IoOps of(IoOps ops, Channel channel) {
                return channel.config().isAutoRead() || (byte) OPCODE.get((IoUringIoOps) ops) != RECV ? ops : null;
            }

            @Override
            IoHandle of(IoHandle handle, Channel channel) {
                return new EndOfInput((IoUringIoHandle) handle, channel);
            }
        };

        /// @return null to submit nothing
        abstract @Nullable IoOps of(IoOps ops, Channel channel);

        IoHandle of(IoHandle handle, Channel channel) {
            return handle;
        }
    }

    /// Receives again once the client has closed: Linux 6.18 can lose the end of the input in a multishot receive when
    /// data came just before it (liburing issue 1549).
    @SuppressWarnings("try") // close() of the interface throws Exception
    private record EndOfInput(IoUringIoHandle netty, Channel channel) implements IoUringIoHandle {

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            IoUringIoEvent done = (IoUringIoEvent) event; // Netty uses it again for the next one
            boolean ended = done.opcode() == POLL_ADD && done.res() > 0 && (done.res() & POLLRDHUP) != 0;
            netty.handle(registration, event);
            ChannelConfig config = channel.config();
            if (ended && config.isAutoRead()) {
                config.setAutoRead(false);
                config.setAutoRead(true);
            }
        }

        @Override
        public void registered() {
            netty.registered();
        }

        @Override
        public void unregistered() {
            netty.unregistered();
        }

        @Override
        public void close() throws Exception {
            netty.close();
        }
    }

    /// The operation of a submission to io_uring, which Netty does not publish.
    private static VarHandle opcode() {
        try {
            return MethodHandles.privateLookupIn(IoUringIoOps.class, MethodHandles.lookup())
                    .findVarHandle(IoUringIoOps.class, "opcode", byte.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this version of Netty hides the operation of a submission", e);
        }
    }

    private record Corrected(IoHandler netty, Correction correction) implements IoHandler {

        static IoHandlerFactory handlers(IoHandlerFactory netty, Correction correction) {
            return executor -> new Corrected(netty.newHandler(executor), correction);
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            Channel channel = ((Channel.Unsafe) handle).voidPromise().channel();
            return new Registration(netty.register(correction.of(handle, channel)), channel, correction);
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

        private record Registration(IoRegistration netty, Channel channel, Correction correction)
                implements IoRegistration {

            @Override
            public long submit(IoOps ops) {
                IoOps corrected = correction.of(ops, channel);
                return corrected == null ? 0 : netty.submit(corrected);
            }

            @Override
            public <T> T attachment() {
                return netty.attachment();
            }

            @Override
            public boolean isValid() {
                return netty.isValid();
            }

            @Override
            public boolean cancel() {
                return netty.cancel();
            }
        }
    }
}
