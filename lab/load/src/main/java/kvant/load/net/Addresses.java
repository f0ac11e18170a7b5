package kvant.load.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Finds a reachable address of a name: the first that accepts a connection. Addresses are tried in order. The next one
/// starts when the previous has failed, or has not answered for [#HEAD_START_NANOS] (RFC 8305, without its sorting).
public final class Addresses implements AutoCloseable {

    /// The Connection Attempt Delay recommended by RFC 8305, section 5.
    private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long LOOK_MILLIS = 10;

    private final Selector selector;
    private final List<String> troubles = new ArrayList<>();
    private int underWay;
    private @Nullable InetSocketAddress found;

    private Addresses(Selector selector) {
        this.selector = selector;
    }

    /// @param all at least one; a single one is returned untried
    /// @param limit for all of them together
    /// @throws UserException when none accepts a connection
    public static InetSocketAddress reachable(List<InetSocketAddress> all, Duration limit, BooleanSupplier isStopped) {
        if (all.size() == 1) {
            return all.getFirst();
        }
        try (Addresses tries = new Addresses(Selector.open())) {
            return tries.first(all, System.nanoTime() + limit.toNanos(), isStopped);
        } catch (IOException e) {
            throw new IllegalStateException("select: " + e.getMessage(), e);
        }
    }

    /// The address as text, such as `127.0.0.1:8080` or `[::1]:8080`.
    public static String text(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        String text = ip.getHostAddress();
        return (text.contains(":") ? "[" + text + "]" : text) + ":" + address.getPort();
    }

    private InetSocketAddress first(List<InetSocketAddress> all, long deadline, BooleanSupplier isStopped)
            throws IOException {
        int next = 0;
        long nextAt = System.nanoTime();
        while (!isStopped.getAsBoolean()) {
            long now = System.nanoTime();
            if (next < all.size() && (underWay == 0 || now - nextAt >= 0)) {
                begin(all.get(next++));
                nextAt = now + HEAD_START_NANOS;
            }
            selector.select(this::finish, LOOK_MILLIS);
            InetSocketAddress reached = found;
            if (reached != null) {
                return reached;
            }
            if ((next == all.size() && underWay == 0) || now - deadline >= 0) {
                throw new UserException(
                        troubles.isEmpty() ? "none of its addresses answered in time" : String.join("; ", troubles));
            }
        }
        return all.getFirst(); // the run is stopped
    }

    private void begin(InetSocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_CONNECT, address);
            underWay++;
            if (channel.connect(address)) {
                found = address;
            }
        } catch (IOException | RuntimeException e) {
            failed(channel, address, e);
        }
    }

    private void finish(SelectionKey key) {
        if (key.channel() instanceof SocketChannel channel && key.attachment() instanceof InetSocketAddress address) {
            try {
                if (channel.finishConnect() && found == null) {
                    found = address;
                }
            } catch (IOException e) {
                failed(channel, address, e);
            }
        }
    }

    private void failed(SocketChannel channel, InetSocketAddress address, Exception why) {
        underWay--;
        troubles.add(text(address) + ": " + why.getMessage());
        close(channel);
    }

    private void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            troubles.add(String.valueOf(e.getMessage())); // the channel is closed in any case
        }
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : List.copyOf(selector.keys())) {
            if (key.channel() instanceof SocketChannel channel) {
                close(channel);
            }
        }
        selector.close();
    }
}
