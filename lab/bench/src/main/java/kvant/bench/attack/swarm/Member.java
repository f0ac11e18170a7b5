package kvant.bench.attack.swarm;

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

/// One hostile connection after the other, each from the first step of the script. Owned by the thread of its swarm.
final class Member {

    /// Steps and pieces of one turn; then others have theirs.
    private static final int TURN = 16;

    /// Of a second: what is sent or read at a rate goes in so many pieces, or byte by byte.
    private static final int PIECES_PER_SECOND = 10;

    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Swarm swarm;
    private final Script script;
    private final HeadScanner heads = new HeadScanner();

    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private boolean connecting;
    private boolean queued = true;
    private int step;
    private int sent;
    private long notBefore;

    Member(Swarm swarm, Script script) {
        this.swarm = swarm;
        this.script = script;
    }

    void connect(InetSocketAddress node, Selector selector) {
        queued = false;
        step = 0;
        sent = 0;
        notBefore = System.nanoTime();
        heads.clear();
        swarm.connects();
        connecting = true;
        try {
            SocketChannel opening = SocketChannel.open();
            channel = opening;
            opening.configureBlocking(false);
            if (script.receiveBufferBytes() > 0) {
                opening.setOption(StandardSocketOptions.SO_RCVBUF, script.receiveBufferBytes());
            }
            opening.setOption(StandardSocketOptions.TCP_NODELAY, true);
            key = opening.register(selector, SelectionKey.OP_CONNECT, this);
            if (opening.connect(node)) {
                stands();
            }
        } catch (IOException _) {
            fails();
        }
    }

    private void stands() {
        connecting = false;
        swarm.connected(true);
        turn();
    }

    void ready() {
        try {
            if (!connecting) {
                turn();
            } else if (Objects.requireNonNull(channel).finishConnect()) {
                stands();
            }
        } catch (IOException _) {
            fails();
        }
    }

    /// A time has come: of the next piece, or of the next connection.
    void wake() {
        if (channel != null) {
            if (!connecting) {
                turn();
            }
        } else if (!queued && notBefore - System.nanoTime() <= 0) { // not a time that was set before the end
            queued = true;
            swarm.reconnect(this);
        }
    }

    private void turn() {
        try {
            for (int i = 0; i < TURN; i++) {
                if (!take(script.steps().get(step))) {
                    return;
                }
                sent = 0;
                step = step + 1 < script.steps().size() ? step + 1 : script.from();
            }
            awaits(SelectionKey.OP_WRITE); // which comes at once
        } catch (IOException _) {
            fails();
        }
    }

    /// @return whether it is done; where it is not, what it waits for is set
    private boolean take(Step next) throws IOException {
        return switch (next) {
            case Step.Send send -> send(send);
            case Step.Answer _ -> answer();
            case Step.Read read -> read(read.bytesPerSecond());
            case Step.Hold _ -> read(0);
            case Step.Reset _ -> {
                Objects.requireNonNull(channel).setOption(StandardSocketOptions.SO_LINGER, 0);
                over();
                yield false;
            }
        };
    }

    private boolean send(Step.Send send) throws IOException {
        int rate = send.bytesPerSecond();
        int left = send.bytes().length - sent;
        if (rate == 0) {
            sent += write(send.bytes(), left);
            if (sent < send.bytes().length) {
                awaits(SelectionKey.OP_WRITE);
                return false;
            }
            return true;
        }
        if (tooEarly() || isAnswered()) {
            return false;
        }
        int written = write(send.bytes(), Math.min(left, piece(rate)));
        sent += written;
        pace(Math.max(1, written), rate);
        if (sent < send.bytes().length) {
            boolean _ = tooEarly();
            return false;
        }
        return true;
    }

    /// Whether the node has not waited for the rest of a request. Then another connection begins anew.
    private boolean isAnswered() throws IOException {
        ByteBuffer received = receive(Integer.MAX_VALUE);
        if (received == null || !received.hasRemaining()) {
            return received == null;
        }
        heads.add(received);
        int status = heads.next();
        if (status != 0) {
            swarm.answered(status);
        }
        over();
        return true;
    }

    private int write(byte[] bytes, int length) throws IOException {
        return Objects.requireNonNull(channel).write(ByteBuffer.wrap(bytes, sent, length));
    }

    private boolean answer() throws IOException {
        int status = heads.next();
        if (status == 0) {
            ByteBuffer received = receive(Integer.MAX_VALUE);
            if (received == null) {
                return false;
            }
            heads.add(received);
            status = heads.next();
        }
        if (status == 0) {
            awaits(SelectionKey.OP_READ);
            return false;
        }
        swarm.answered(status);
        return true;
    }

    private boolean read(int rate) throws IOException {
        if (rate > 0 && tooEarly()) {
            return false;
        }
        ByteBuffer received = receive(rate == 0 ? Integer.MAX_VALUE : piece(rate));
        if (received == null) {
            return false;
        }
        if (rate > 0 && received.hasRemaining()) {
            pace(received.remaining(), rate);
            boolean _ = tooEarly();
        } else {
            awaits(SelectionKey.OP_READ);
        }
        return false;
    }

    /// @return null where the node has ended the connection
    private @Nullable ByteBuffer receive(int most) throws IOException {
        ByteBuffer buffer = swarm.emptyBuffer();
        buffer.limit(Math.min(most, buffer.capacity()));
        int length = Objects.requireNonNull(channel).read(buffer);
        if (length < 0) {
            fails();
            return null;
        }
        swarm.read(length);
        return buffer.flip();
    }

    private static int piece(int rate) {
        return Math.max(1, rate / PIECES_PER_SECOND);
    }

    private void pace(int bytes, int rate) {
        notBefore = System.nanoTime() + bytes * NANOS_PER_SECOND / rate;
    }

    /// Where the next piece is not due yet, waits for its time.
    private boolean tooEarly() {
        if (notBefore - System.nanoTime() <= 0) {
            return false;
        }
        awaits(0);
        swarm.wakeAt(notBefore, this);
        return true;
    }

    private void awaits(int operations) {
        SelectionKey registered = Objects.requireNonNull(key);
        if (registered.interestOps() != operations) {
            registered.interestOps(operations);
        }
    }

    /// The node has ended the connection, or it did not come to be.
    private void fails() {
        if (connecting) {
            connecting = false;
            swarm.connected(false);
        } else {
            swarm.ended();
        }
        over();
    }

    private void over() {
        close();
        notBefore = System.nanoTime() + script.pause().toNanos();
        swarm.wakeAt(notBefore, this);
    }

    void close() {
        SocketChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // it is gone all the same
            }
        }
    }
}
