package kvant.bench.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvant.bench.process.Repeated;
import kvant.lab.run.RawConnection.Answer;

/// A second good client: every 100 ms it puts an increasing number under one of several keys, over a new connection,
/// and remembers the last acknowledged number of each key.
///
/// Puts run on a separate thread; the thread of the trial reads the results.
final class Newcomer implements AutoCloseable {

    private static final int KEYS = 256;
    private static final long PERIOD_MILLIS = 100;
    private static final int FAILED = -1;

    // Constant.
    private final InetSocketAddress node;
    private final Duration patience;
    private final Repeated putting;

    // Of its thread.
    private long number;

    // Guarded by this.
    private final List<Visit> visits = new ArrayList<>();
    private final Map<Integer, Long> acknowledged = new HashMap<>();

    /// One put.
    ///
    /// @param status [#FAILED] without an answer
    record Visit(long beginNanos, double millis, int status) {

        boolean isServed() {
            return status == 201;
        }
    }

    private Newcomer(InetSocketAddress node, Duration patience) {
        this.node = node;
        this.patience = patience;
        this.putting = Repeated.start("newcomer", PERIOD_MILLIS, this::putNext);
    }

    static Newcomer start(InetSocketAddress node, Duration patience) {
        return new Newcomer(node, patience);
    }

    private void putNext() {
        int key = (int) (number % KEYS);
        long begin = System.nanoTime();
        int status = put(key, number);
        synchronized (this) {
            visits.add(new Visit(begin, (System.nanoTime() - begin) / 1e6, status));
            if (status == 201) {
                acknowledged.put(key, number);
            }
        }
        number++;
    }

    private int put(int key, long number) {
        byte[] value = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
        try {
            return Scene.ask(node, patience, "PUT", path(key), value).status();
        } catch (IOException _) {
            return FAILED;
        }
    }

    private static String path(int key) {
        return "/v0/entity?id=newcomer-" + key;
    }

    /// The puts started between two times of `System.nanoTime`.
    synchronized List<Visit> visits(long from, long to) {
        return visits.stream()
                .filter(visit -> visit.beginNanos() >= from && visit.beginNanos() <= to)
                .toList();
    }

    /// Number of keys with an acknowledged put.
    synchronized long acknowledgedKeys() {
        return acknowledged.size();
    }

    /// Number of keys for which a node lacks the last acknowledged number. A later put without an answer may have been
    /// applied.
    ///
    /// @throws IOException when the node does not answer
    long lost(InetSocketAddress where) throws IOException {
        Map<Integer, Long> expected;
        synchronized (this) {
            expected = Map.copyOf(acknowledged);
        }
        long lost = 0;
        for (Map.Entry<Integer, Long> one : expected.entrySet()) {
            Answer answer = Scene.ask(where, patience, "GET", path(one.getKey()), new byte[0]);
            long found = answer.status() == 200
                    ? Long.parseLong(new String(answer.body(), StandardCharsets.US_ASCII))
                    : Long.MIN_VALUE;
            lost += found < one.getValue() ? 1 : 0;
        }
        return lost;
    }

    /// Stops the puts.
    void end() {
        putting.close();
    }

    @Override
    public void close() {
        end();
    }
}
