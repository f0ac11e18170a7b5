package kvant.load.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// JDK sockets, for systems without epoll. A wait has millisecond resolution, and the loop spins for the remainder.
final class NioSockets extends Sockets {

    // Constant.
    private final InetSocketAddress server;
    private final ByteBuffer input;
    private final ByteBuffer output;
    private final Selector selector;

    // Owned by the loop.
    private final @Nullable SocketChannel[] channels;

    NioSockets(InetSocketAddress server, int slots, int inboxBytes, int outboxBytes) {
        super(slots, inboxBytes, outboxBytes);
        this.server = server;
        input = ByteBuffer.allocateDirect(inboxBytes);
        output = ByteBuffer.allocateDirect(outboxBytes);
        channels = new SocketChannel[slots];
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new IllegalStateException("cannot open a selector: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean connect(int slot) {
        try {
            SocketChannel channel = SocketChannel.open();
            channels[slot] = channel;
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            boolean done = channel.connect(server);
            channel.register(selector, done ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT, slot);
            return true;
        } catch (IOException e) {
            close(slot);
            return failed(text(e));
        }
    }

    private static String text(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    @Override
    public boolean finishConnect(int slot) {
        try {
            SocketChannel channel = channel(slot);
            if (channel.isConnectionPending() && !channel.finishConnect()) {
                throw new IOException("not connected");
            }
            channel.keyFor(selector).interestOps(SelectionKey.OP_READ);
            return true;
        } catch (IOException e) {
            return failed(text(e));
        }
    }

    private SocketChannel channel(int slot) {
        return Objects.requireNonNull(channels[slot]);
    }

    @Override
    public int localPort(int slot) {
        try {
            return channel(slot).getLocalAddress() instanceof InetSocketAddress local ? local.getPort() : 0;
        } catch (IOException _) {
            return 0; // already lost again
        }
    }

    @Override
    public int read(int slot) {
        try {
            input.clear();
            int got = channel(slot).read(input);
            if (got <= 0) {
                return got < 0 ? END : WOULD_BLOCK;
            }
            input.get(0, inbox, 0, got);
            return got;
        } catch (IOException e) {
            return broken(text(e));
        }
    }

    @Override
    public int write(int slot, int length) {
        try {
            output.clear().put(0, outbox, 0, length).limit(length);
            return channel(slot).write(output);
        } catch (IOException e) {
            return broken(text(e));
        }
    }

    @Override
    public void wantWrite(int slot, boolean wanted) {
        channel(slot)
                .keyFor(selector)
                .interestOps(wanted ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    @Override
    public void close(int slot) {
        SocketChannel channel = channels[slot];
        if (channel != null) {
            channels[slot] = null;
            try {
                channel.close();
            } catch (IOException e) {
                failed(text(e)); // closed in any case
            }
        }
    }

    @Override
    public int await(long nanos) {
        readyCount = 0;
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
        try {
            if (millis == 0) {
                selector.selectNow(this::collect);
            } else {
                selector.select(this::collect, millis);
            }
        } catch (IOException e) {
            throw new IllegalStateException("select: " + e.getMessage(), e);
        }
        return readyCount;
    }

    private void collect(SelectionKey key) {
        int ready = key.readyOps();
        boolean mayWrite = (ready & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT)) != 0;
        report((Integer) key.attachment(), (ready & SelectionKey.OP_READ) != 0, mayWrite);
    }

    @Override
    public void close() {
        for (int slot = 0; slot < channels.length; slot++) {
            close(slot);
        }
        try {
            selector.close();
        } catch (IOException e) {
            failed(text(e));
        }
    }
}
