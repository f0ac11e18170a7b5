package kvant.bench.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import kvant.bench.attack.swarm.Script;
import kvant.bench.attack.swarm.Swarm;
import kvant.bench.attack.swarm.Tally;
import kvant.lab.run.RawConnection;
import kvant.lab.run.RawConnection.Answer;
import kvant.lab.run.ServedNode;
import kvant.text.UserException;

/// The environment of an attack. Belongs to the thread of the trial, except for [#awaitOver].
final class Scene implements AutoCloseable {

    private static final int LEAST_CONNECTIONS = 4;
    static final Duration PATIENCE = Duration.ofSeconds(30);

    // Constant.
    private final ServedNode node;
    private final Effort effort;
    private final CountDownLatch over = new CountDownLatch(1);

    // Owned by the thread of the trial.
    private final List<Swarm> swarms = new ArrayList<>();
    private final List<AutoCloseable> others = new ArrayList<>();

    Scene(ServedNode node, Effort effort) {
        this.node = node;
        this.effort = effort;
    }

    Path data() {
        return node.data();
    }

    /// The number of connections, reduced according to the effort.
    int many(int count) {
        return Math.max(Math.min(count, LEAST_CONNECTIONS), count / effort.share());
    }

    void swarm(int count, Script script) {
        swarms.add(Swarm.start(node.target().address(), count, script));
    }

    /// Closes a resource when the attack is over.
    void keep(AutoCloseable other) {
        others.add(other);
    }

    ServedNode node() {
        return node;
    }

    /// Whether time is measured.
    boolean isMeasured() {
        return effort.measures();
    }

    /// Sleeps, at most until the attack is over.
    ///
    /// @return whether it is over
    boolean awaitOver(double seconds) throws InterruptedException {
        return over.await((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
    }

    /// Sends a request over a separate connection.
    Answer ask(String method, String target, byte[] body) throws IOException {
        return ask(node.target().address(), PATIENCE, method, target, body);
    }

    static Answer ask(InetSocketAddress node, Duration patience, String method, String target, byte[] body)
            throws IOException {
        try (RawConnection connection = new RawConnection(node, patience)) {
            connection.http(method, target, body, "Connection: close").flush();
            return connection.answer();
        } catch (RuntimeException e) {
            throw new IOException("a malformed answer: " + e.getMessage(), e);
        }
    }

    /// Puts a value that an attack needs. A node that has just started may briefly refuse a large one.
    ///
    /// @return its version
    String put(String key, byte[] value) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Answer answer = ask("PUT", "/v0/entity?id=" + key, value);
            if (answer.status() == 201) {
                return "\"" + answer.version() + "\"";
            }
            if (answer.status() != 503 || System.nanoTime() > deadline) {
                throw new IOException(
                        "the node answers " + answer.status() + " to a put of " + value.length + " bytes");
            }
        }
    }

    /// Ends all attackers.
    @Override
    public void close() {
        over.countDown();
        swarms.forEach(Swarm::close);
        for (AutoCloseable other : others) {
            try {
                other.close();
            } catch (Exception e) {
                throw new UserException("an attacker does not end: " + e.getMessage(), e);
            }
        }
    }

    /// The tallies of all swarms, when the attack is over.
    List<Tally> tallies() {
        return swarms.stream().map(Swarm::tally).toList();
    }
}
