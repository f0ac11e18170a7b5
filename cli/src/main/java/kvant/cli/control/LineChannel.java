package kvant.cli.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Lines of text over a socket, with limits on their length and on the time for each line. Belongs to one thread. Any
/// thread may close it, which ends a blocked read or write.
final class LineChannel implements AutoCloseable {

    /// Long enough for any path and any line of a report.
    static final int MAX_LINE_BYTES = 64 << 10;

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final ByteBuffer received = ByteBuffer.allocate(8 << 10).limit(0);

    LineChannel(SocketChannel channel) throws IOException {
        this.channel = channel;
        this.selector = Selector.open();
        channel.configureBlocking(false);
        this.key = channel.register(selector, 0);
    }

    /// @param limit for the whole line
    /// @return null when the other side closed before the end of a line
    /// @throws SocketTimeoutException when the limit has passed
    /// @throws IOException also when a line is too long
    @Nullable
    String read(Duration limit) throws IOException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            while (received.hasRemaining()) {
                byte next = received.get();
                if (next == '\n') {
                    return line.toString(StandardCharsets.UTF_8);
                }
                line.write(next);
                if (line.size() > MAX_LINE_BYTES) {
                    throw new IOException("a line of more than " + MAX_LINE_BYTES + " bytes");
                }
            }
            await(SelectionKey.OP_READ, deadlineNanos);
            received.clear();
            int count = channel.read(received);
            received.flip();
            if (count < 0) {
                return null;
            }
        }
    }

    /// @param limit for the whole line
    void write(String line, Duration limit) throws IOException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line.replace('\n', ' ') + "\n");
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                await(SelectionKey.OP_WRITE, deadlineNanos);
            }
        }
    }

    private void await(int operation, long deadlineNanos) throws IOException {
        try {
            key.interestOps(operation);
            selector.selectedKeys().clear();
            long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
            if (leftMillis <= 0 || selector.select(leftMillis) == 0) {
                throw new SocketTimeoutException("the other side takes too long");
            }
        } catch (CancelledKeyException | ClosedSelectorException _) {
            throw new ClosedChannelException(); // by another thread
        }
    }

    @Override
    public void close() throws IOException {
        try (selector) {
            channel.close();
        }
    }
}
