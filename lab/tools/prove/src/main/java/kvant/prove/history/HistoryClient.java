package kvant.prove.history;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.lab.run.RawConnection;
import kvant.prove.history.Lives.Life;
import kvant.prove.history.Operation.Cell;
import org.jspecify.annotations.Nullable;

/// One client of a history: asks until so much has been asked by all, over one connection after the other, and notes
/// what came of it.
/// A thread of its own.
abstract class HistoryClient implements Runnable {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int MOST_PIPELINED = 6;

    /// Reads the answer of one request.
    interface Reader {
        /// @return null where nothing was executed, or nothing is to be said
        @Nullable
        Operation read(RawConnection wire) throws IOException;
    }

    record Request(Operation asked, Reader reader) {}

    final Random random;

    /// What this client saw last of each key.
    final int[] known = new int[Keys.COUNT];

    private final Lives lives;
    private final AtomicInteger left;
    private final AtomicInteger values;
    private final Deque<Operation> underWay = new ArrayDeque<>();
    private final List<Operation> operations = new ArrayList<>();
    private int others;
    private @Nullable Exception failure;

    /// @param left requests that may still be sent, by all clients
    /// @param values the last number of a value, of all clients
    HistoryClient(Lives lives, AtomicInteger left, AtomicInteger values, Random random) {
        this.lives = lives;
        this.left = left;
        this.values = values;
        this.random = random;
    }

    abstract InetSocketAddress address(Life life);

    /// Adds a request to what the connection sends next.
    abstract Request next(RawConnection wire);

    @Override
    public final void run() {
        try {
            while (left.get() > 0) {
                Life life = lives.await();
                try (RawConnection wire = new RawConnection(address(life), PATIENCE)) {
                    long session = random.nextLong();
                    while (lives.isCurrent(life) && left.get() > 0) {
                        ask(wire, session);
                    }
                } catch (IOException _) {
                    leaveOpen(life);
                }
            }
        } catch (InterruptedException | TimeoutException | RuntimeException e) {
            failure = e;
        }
    }

    private void ask(RawConnection wire, long session) throws IOException {
        List<Request> requests = new ArrayList<>();
        for (int count = random.nextInt(3) == 0 ? 1 + random.nextInt(MOST_PIPELINED) : 1; count > 0; count--) {
            requests.add(next(wire));
        }
        left.addAndGet(-requests.size());
        long called = System.nanoTime();
        requests.forEach(one -> underWay.add(one.asked.at(session, called, Operation.NEVER)));
        wire.flush();
        for (Request request : requests) {
            Operation answer = request.reader.read(wire);
            Operation _ = underWay.remove();
            if (answer != null) {
                keep(answer.at(session, called, answer.isOpen() ? Operation.NEVER : System.nanoTime()));
            }
        }
    }

    /// An open one without writes says nothing.
    private void keep(Operation operation) {
        if (!operation.isOpen() || !operation.writes().isEmpty()) {
            operations.add(operation);
        }
    }

    /// Unanswered requests may take effect until this process ends; later ones reached no process.
    private void leaveOpen(Life life) throws InterruptedException {
        long end = life.end();
        underWay.stream()
                .filter(one -> one.called() < end)
                .forEach(one -> keep(one.at(one.session(), one.called(), end)));
        underWay.clear();
    }

    /// An answer that is none of those that are hoped for.
    final void other() {
        others++;
    }

    int others() {
        return others;
    }

    final Cell fresh(int key) {
        return new Cell(key, values.incrementAndGet());
    }

    final Cell freshOrAbsent(int key) {
        return random.nextInt(4) == 0 ? new Cell(key, Cell.ABSENT) : fresh(key);
    }

    final Cell saw(int key, int value) {
        known[key] = value;
        return new Cell(key, value);
    }

    /// After the end of its thread.
    List<Operation> operations() throws Exception {
        if (failure != null) {
            throw failure;
        }
        return operations;
    }
}
