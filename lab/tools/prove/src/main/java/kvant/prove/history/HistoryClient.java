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
import java.util.function.Function;
import kvant.lab.run.RawConnection;
import kvant.prove.history.Lives.Life;
import kvant.prove.history.Operation.Cell;
import org.jspecify.annotations.Nullable;

/// One client of a history: asks until so much has been asked by all, over one connection after the other, and notes
/// what came of it. A thread of its own.
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

    /// Values that this client saw last, by their keys.
    final int[] known = new int[Keys.COUNT];

    /// Answers that are none of those that are hoped for.
    int others;

    private final HistoryRun run;
    private final Function<Life, InetSocketAddress> address;
    private final Deque<Operation> underWay = new ArrayDeque<>();
    private final List<Operation> operations = new ArrayList<>();
    private @Nullable Exception failure;

    /// @param address of the protocol
    HistoryClient(HistoryRun run, int number, Function<Life, InetSocketAddress> address) {
        this.run = run;
        this.address = address;
        this.random = run.stage.random(number);
    }

    /// Adds a request to what the connection sends next.
    abstract Request next(RawConnection wire);

    @Override
    public final void run() {
        try {
            while (run.left.get() > 0) {
                Life life = run.lives.await();
                try (RawConnection wire = new RawConnection(address.apply(life), PATIENCE)) {
                    long session = random.nextLong();
                    while (run.lives.isCurrent(life) && run.left.get() > 0) {
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
        run.left.addAndGet(-requests.size());
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

    final Cell known(int key) {
        return new Cell(key, known[key]);
    }

    final Cell fresh(int key) {
        return new Cell(key, run.values.incrementAndGet());
    }

    final Cell freshOrAbsent(int key) {
        return random.nextInt(4) == 0 ? new Cell(key, Cell.ABSENT) : fresh(key);
    }

    final Cell saw(int key, int value) {
        known[key] = value;
        return known(key);
    }

    /// After the end of its thread.
    List<Operation> operations() throws Exception {
        if (failure != null) {
            throw failure;
        }
        return operations;
    }
}
