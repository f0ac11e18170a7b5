package kvant.load.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Finds a reachable address of a name: the first that accepts a connection. Addresses are tried in order. The next one
/// starts when the previous has failed, or has not answered for [#HEAD_START_NANOS] (RFC 8305, without its sorting).
public final class Addresses {

    /// The Connection Attempt Delay recommended by RFC 8305, section 5.
    private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long LOOK_MILLIS = 10;

    /// @param trouble empty if the address accepted a connection
    private record Attempt(InetSocketAddress address, String trouble) {}

    private Addresses() {}

    /// @param all at least one; a single one is returned untried
    /// @param limit for all of them together
    /// @throws UserException when none accepts a connection
    public static InetSocketAddress reachable(List<InetSocketAddress> all, Duration limit, BooleanSupplier isStopped) {
        if (all.size() == 1) {
            return all.getFirst();
        }
        BlockingQueue<Attempt> ended = new LinkedBlockingQueue<>();
        List<String> troubles = new ArrayList<>();
        long deadline = System.nanoTime() + limit.toNanos();
        long nextAt = System.nanoTime();
        int begun = 0;
        while (!isStopped.getAsBoolean()) {
            long now = System.nanoTime();
            if (begun < all.size() && (troubles.size() == begun || now - nextAt >= 0)) {
                InetSocketAddress next = all.get(begun++);
                Thread.ofVirtual().start(() -> ended.add(attempt(next, limit)));
                nextAt = now + HEAD_START_NANOS;
            }
            @Nullable Attempt last = next(ended);
            if (last != null && last.trouble.isEmpty()) {
                return last.address;
            }
            if (last != null) {
                troubles.add(text(last.address) + ": " + last.trouble);
            }
            if (troubles.size() == all.size() || now - deadline >= 0) {
                throw new UserException(
                        troubles.isEmpty() ? "none of its addresses answered in time" : String.join("; ", troubles));
            }
        }
        return all.getFirst(); // the run is stopped
    }

    private static Attempt attempt(InetSocketAddress address, Duration limit) {
        try (Socket socket = new Socket()) {
            socket.connect(address, Math.clamp(limit.toMillis(), 1, Integer.MAX_VALUE));
            return new Attempt(address, "");
        } catch (IOException | RuntimeException e) {
            return new Attempt(address, String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable Attempt next(BlockingQueue<Attempt> ended) {
        try {
            return ended.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /// The address as text, such as `127.0.0.1:8080` or `[::1]:8080`.
    public static String text(InetSocketAddress address) {
        String ip = address.getAddress().getHostAddress();
        return (ip.contains(":") ? "[" + ip + "]" : ip) + ":" + address.getPort();
    }
}
