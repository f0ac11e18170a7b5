package kvant.bench.attack.swarm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/// Hostile connections with the same script, each on a virtual thread, so that there may be thousands. A connection
/// that ends is opened again after the pause of the script, as long as the swarm lasts.
///
/// Only after [#close] the [#tally] is valid.
public final class Swarm implements AutoCloseable {

    /// More would overflow the accept backlog of the listening socket, and wait for the kernel's retransmission.
    private static final int MOST_CONNECTING = 128;

    // Constant.
    private final InetSocketAddress node;
    private final Script script;
    private final List<Thread> threads = new ArrayList<>();

    // Of any thread.
    private final Semaphore connecting = new Semaphore(MOST_CONNECTING);
    private final Map<Integer, LongAdder> statuses = new ConcurrentHashMap<>();
    private final LongAdder opened = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final LongAdder readBytes = new LongAdder();
    private volatile boolean closed;

    private Swarm(InetSocketAddress node, int count, Script script) {
        this.node = node;
        this.script = script;
        for (int i = 0; i < count; i++) {
            threads.add(Thread.ofVirtual().name("swarm").unstarted(this::run));
        }
    }

    public static Swarm start(InetSocketAddress node, int count, Script script) {
        Swarm swarm = new Swarm(node, count, script);
        swarm.threads.forEach(Thread::start);
        return swarm;
    }

    private void run() {
        try {
            while (!closed) {
                connectAndFollow();
                Thread.sleep(script.pause());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the swarm is closed
        }
    }

    private void connectAndFollow() throws InterruptedException {
        try (Socket socket = new Socket()) {
            if (script.receiveBufferBytes() > 0) {
                socket.setReceiveBufferSize(script.receiveBufferBytes());
            }
            connect(socket);
            opened.increment();
            follow(socket);
        } catch (IOException _) {
            // never opened
        }
    }

    private void follow(Socket socket) throws InterruptedException {
        try {
            new Member(socket, script, new HeadScanner(), this::answered, readBytes::add).follow();
        } catch (IOException _) {
            ended.add(closed ? 0 : 1);
        }
    }

    private void connect(Socket socket) throws IOException, InterruptedException {
        connecting.acquire();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(node);
        } finally {
            connecting.release();
        }
    }

    private void answered(int status) {
        statuses.computeIfAbsent(status, _ -> new LongAdder()).increment();
    }

    /// Waits until all connections are closed. An interrupt ends the wait of a virtual thread, and closes its socket.
    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    public Tally tally() {
        if (threads.stream().anyMatch(Thread::isAlive)) {
            throw new IllegalStateException("the swarm still runs");
        }
        Map<Integer, Long> counts = new TreeMap<>();
        statuses.forEach((status, count) -> counts.put(status, count.sum()));
        return new Tally(opened.sum(), ended.sum(), readBytes.sum(), counts);
    }
}
