package kvant.bench.overload;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import kvant.load.http.Target;

/// Sends one request every 20 ms while others load a node, to measure when it is normal again.
///
/// A thread of its own sends, each time over a new connection, as a new client would; the thread of the
/// benchmark reads.
final class Probe implements AutoCloseable {

    private static final long PERIOD_MILLIS = 20;
    private static final int IN_A_ROW = 10;
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int NEVER_MILLIS = Integer.MAX_VALUE;

    /// One request.
    ///
    /// @param tookMillis [#NEVER_MILLIS] where the answer was no 2xx, or not complete
    private record Seen(Instant sentAt, double tookMillis) {}

    // Constant.
    private final Target target;
    private final byte[] request;
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);

    // Guarded by itself.
    private final List<Seen> seen = new ArrayList<>();

    private Probe(Target target, String path) {
        this.target = target;
        this.request = ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        this.thread = Thread.ofPlatform().daemon().name("probe").start(this::run);
    }

    static Probe start(Target target, String path) {
        return new Probe(target, path);
    }

    private void run() {
        try {
            while (!ended.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
                Instant sentAt = Instant.now();
                long begin = System.nanoTime();
                boolean good = ask();
                double millis = good ? (System.nanoTime() - begin) / 1e6 : NEVER_MILLIS;
                synchronized (seen) {
                    seen.add(new Seen(sentAt, millis));
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean ask() {
        try (Socket client = new Socket()) {
            client.connect(target.address(), TIMEOUT_MILLIS);
            client.setSoTimeout(TIMEOUT_MILLIS);
            client.getOutputStream().write(request);
            try (InputStream in = client.getInputStream()) {
                byte[] answer = in.readAllBytes();
                return new String(answer, 0, Math.min(answer.length, 10), StandardCharsets.US_ASCII)
                        .startsWith("HTTP/1.1 2");
            }
        } catch (IOException _) {
            return false;
        }
    }

    /// Waits until the node is normal again: answers so many requests in a row in time.
    ///
    /// @param end of the load
    /// @param withinMillis what an answer in time takes at most
    /// @return seconds from the end, as text
    String normalAfter(Instant end, double withinMillis, int watchedSeconds) throws InterruptedException {
        Instant limit = end.plusSeconds(watchedSeconds);
        while (Instant.now().isBefore(limit)) {
            List<Seen> after;
            synchronized (seen) {
                after = seen.stream().filter(one -> !one.sentAt().isBefore(end)).toList();
            }
            int row = 0;
            for (int i = 0; i < after.size(); i++) {
                row = after.get(i).tookMillis() <= withinMillis ? row + 1 : 0;
                if (row == IN_A_ROW) {
                    Instant first = after.get(i - IN_A_ROW + 1).sentAt();
                    return String.format(Locale.ROOT, "%.1f", (first.toEpochMilli() - end.toEpochMilli()) / 1e3);
                }
            }
            Thread.sleep(PERIOD_MILLIS);
        }
        return "over " + watchedSeconds;
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
