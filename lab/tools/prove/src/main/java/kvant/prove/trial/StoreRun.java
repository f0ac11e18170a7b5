package kvant.prove.trial;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import kvant.lab.run.ServedProcess;
import kvant.prove.journal.Habits;
import kvant.prove.journal.Journal;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Node;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Violation;
import org.jspecify.annotations.Nullable;

/// The store of a trial, its node and its journal. Belongs to the thread of the trial.
public final class StoreRun {

    private static final int FEWEST = 20;
    private static final int MOST = 600;
    private static final long WAIT_SECONDS = 300;
    private static final long NANOS_PER_MILLI = 1_000_000;

    final Stage stage;
    final Journal journal;
    final Figures figures = new Figures();
    Path data;
    Node.Start start;

    /// From the address of a node to the one that clients ask.
    UnaryOperator<URI> route = UnaryOperator.identity();

    private final List<Long> readyMillis = new ArrayList<>();
    private @Nullable Node node;

    StoreRun(Stage stage, Habits habits, Node.Start start) throws IOException {
        this.stage = stage;
        this.start = start;
        this.data = stage.folder().resolve("data");
        this.journal = new Journal(stage, habits);
    }

    /// A node of the engine lsm, whose logs and tables follow one another within a second.
    public static Node.Start lsm(String durability) {
        return Node.Start.of("--durability", durability, "--lsm.memtable", "2MiB");
    }

    Node node() {
        return Objects.requireNonNull(node);
    }

    void startNode() throws IOException {
        node = Node.start(stage, data, start);
        readyMillis.add(node.readyNanos() / NANOS_PER_MILLI);
    }

    void check() throws Violation {
        journal.check(node().uri(), figures);
    }

    /// For a number of acknowledgements that the seed gives, and then a moment more.
    void awaitSome() throws InterruptedException, Violation {
        Random random = stage.random(-1);
        awaitAcknowledged(FEWEST + random.nextInt(MOST - FEWEST));
        Thread.sleep(random.nextInt(20));
    }

    void awaitAcknowledged(long more) throws InterruptedException, Violation {
        long from = journal.acknowledged();
        await(() -> journal.acknowledged() >= from + more, "writes are not acknowledged");
    }

    static void await(BooleanSupplier condition, String otherwise) throws InterruptedException, Violation {
        long deadline = System.nanoTime() + WAIT_SECONDS * 1_000 * NANOS_PER_MILLI;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new Violation(otherwise + " within " + WAIT_SECONDS + " s");
            }
            Thread.sleep(1);
        }
    }

    /// A node that is on its way to being ready: the moment is in the second half of a usual start, because in
    /// the first one a JVM loads classes.
    ServedProcess halfStarted(Random random) throws Exception {
        ServedProcess starting = Node.launch(stage, data, start);
        Thread.sleep((long) (node().readyNanos() / NANOS_PER_MILLI * (0.5 + random.nextDouble() / 2)));
        return starting;
    }

    /// Where nothing was lost: a loss is a [Violation].
    Figures held() {
        List<Long> sorted = readyMillis.stream().sorted().toList();
        figures.add("until ready p99 ms", sorted.get((int) ((sorted.size() - 1) * 0.99)));
        return figures.add("acknowledged", journal.acknowledged()).add("lost", 0);
    }
}
