package kvant.bench.attack.swarm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// Hostile connections that follow one script, on a thread of its own: without blocking, so that it holds thousands.
/// A connection that ends is opened again after the pause of the script, for as long as the swarm lasts.
///
/// All state is owned by that thread; [#close] ends it, and only then [#tally] is to be read.
public final class Swarm implements AutoCloseable {

    /// More would overflow the backlog of the listening socket, and wait for the kernel's next attempt.
    private static final int MOST_CONNECTING = 128;

    private static final int BUFFER_BYTES = 64 << 10;
    private static final long LONGEST_SLEEP_MILLIS = 50;

    // Constant.
    private final InetSocketAddress node;
    private final Selector selector;
    private final Thread thread;

    // Owned by the thread.
    private final List<Member> members = new ArrayList<>();
    private final Deque<Member> unconnected = new ArrayDeque<>();
    private final PriorityQueue<Wake> wakes = new PriorityQueue<>(Comparator.comparingLong(Wake::nanos));
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private int connecting;
    private long opened;
    private long ended;
    private long readBytes;

    private volatile boolean closed;

    private record Wake(long nanos, Member member) {}

    private Swarm(InetSocketAddress node, int count, Script script) throws IOException {
        this.node = node;
        this.selector = Selector.open();
        for (int i = 0; i < count; i++) {
            Member member = new Member(this, script);
            members.add(member);
            unconnected.add(member);
        }
        this.thread = Thread.ofPlatform().daemon().name("swarm").unstarted(this::run);
    }

    public static Swarm start(InetSocketAddress node, int count, Script script) throws IOException {
        Swarm swarm = new Swarm(node, count, script);
        swarm.thread.start();
        return swarm;
    }

    private void run() {
        try {
            while (!closed) {
                connect();
                selector.select(this::ready, sleepMillis());
                wake();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            end();
        }
    }

    private void connect() {
        while (connecting < MOST_CONNECTING && !unconnected.isEmpty()) {
            unconnected.poll().connect(node, selector);
        }
    }

    /// At least 1: 0 would be for ever.
    private long sleepMillis() {
        if (wakes.isEmpty()) {
            return LONGEST_SLEEP_MILLIS;
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(wakes.peek().nanos() - System.nanoTime());
        return Math.clamp(millis, 1, LONGEST_SLEEP_MILLIS);
    }

    private void ready(SelectionKey key) {
        ((Member) key.attachment()).ready();
    }

    private void wake() {
        long now = System.nanoTime();
        while (!wakes.isEmpty() && wakes.peek().nanos() - now <= 0) {
            wakes.poll().member().wake();
        }
    }

    private void end() {
        for (Member member : members) {
            member.close();
        }
        try {
            selector.close();
        } catch (IOException _) {
            // the connections are closed, which is what counts
        }
    }

    /// Waits until all connections are closed.
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    public Tally tally() {
        if (thread.isAlive()) {
            throw new IllegalStateException("the swarm still runs");
        }
        return new Tally(opened, ended, readBytes, statuses);
    }

    // --- For its members, on its thread ---

    ByteBuffer emptyBuffer() {
        return buffer.clear();
    }

    void wakeAt(long nanos, Member member) {
        wakes.add(new Wake(nanos, member));
    }

    void connects() {
        connecting++;
    }

    /// @param stands whether the connection came to be
    void connected(boolean stands) {
        connecting--;
        opened += stands ? 1 : 0;
    }

    /// The node has ended one.
    void ended() {
        ended++;
    }

    /// A member wants a connection again.
    void reconnect(Member member) {
        unconnected.add(member);
    }

    void read(int bytes) {
        readBytes += bytes;
    }

    void answered(int status) {
        statuses.merge(status, 1L, Long::sum);
    }
}
