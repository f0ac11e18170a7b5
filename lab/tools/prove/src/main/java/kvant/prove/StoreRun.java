package kvant.prove;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import kvant.lab.run.ServedNode;
import kvant.prove.journal.Check;
import kvant.prove.journal.Habits;
import kvant.prove.journal.Journal;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Violation;

/// One store that lives through many trips, its node and its journal: start, check, load, fault. After the last trip it
/// is checked once more. Belongs to the thread of the trial.
final class StoreRun {

    private static final int FEWEST = 20; // writes of a trip
    private static final long WAIT_SECONDS = 300;

    /// The figure that is 0 in a run without a violation.
    String never = "lost";

    /// The most writes of a trip.
    int most = 600;

    final Stage stage;
    final Journal journal;
    final Figures figures = new Figures();
    Path data;
    ServedNode.Start start;

    /// From the address of a node to the one that clients ask.
    UnaryOperator<URI> route = UnaryOperator.identity();

    /// The check of the store against the journal.
    Judge judge = Check::all;

    private final List<Long> readyMillis = new ArrayList<>();

    interface Judge {

        void judge(Check check) throws Violation;
    }

    /// A fault of a store under load, once in each trip. Afterwards no process uses the store.
    interface Fault {

        void strike(ServedNode node) throws Exception;
    }

    /// Prepares a run: makes its disk, sets the folder of the store and the start of its node.
    interface Setting {

        Fault prepare(StoreRun run) throws Exception;
    }

    StoreRun(Stage stage, Habits habits, ServedNode.Start start) throws IOException {
        this.stage = stage;
        this.start = start;
        this.data = stage.folder().resolve("data");
        this.journal = new Journal(stage, habits);
    }

    /// A node of the engine lsm. With 2 MiB its logs and tables follow one another within a second.
    static ServedNode.Start lsm(String durability, String memtable) {
        return Stage.node("--durability", durability, "--lsm.memtable", memtable);
    }

    /// @param counted what a trip is called in the figures, in the plural
    static Trial.Run trips(Habits habits, ServedNode.Start start, String counted, Setting setting) {
        return stage -> {
            StoreRun run = new StoreRun(stage, habits, start);
            run.figures.add(counted, 0);
            Fault fault = setting.prepare(run);
            while (stage.next()) {
                run.trip(fault);
                run.figures.add(counted, 1);
                stage.say(run.figures.toString());
            }
            run.checked().close();
            List<Long> sorted = run.readyMillis.stream().sorted().toList();
            run.figures.add("until ready p99 ms", sorted.get((int) ((sorted.size() - 1) * 0.99)));
            return run.figures.add("acknowledged", run.journal.acknowledged()).add(run.never, 0);
        };
    }

    void trip(Fault fault) throws Exception {
        ServedNode node = checked();
        journal.write(route.apply(node.uri()));
        Random random = stage.random(-1);
        awaitAcknowledged(FEWEST + random.nextInt(most - FEWEST));
        Thread.sleep(random.nextInt(20));
        fault.strike(node);
        journal.stop();
    }

    /// Starts a node, and compares the store with the journal.
    ServedNode checked() throws IOException, Violation {
        ServedNode node = ServedNode.start(stage, data, start);
        readyMillis.add(TimeUnit.NANOSECONDS.toMillis(node.readyNanos()));
        judge.judge(new Check(journal, node.uri(), figures));
        return node;
    }

    void awaitAcknowledged(long more) throws IOException, Violation {
        long from = journal.acknowledged();
        await(() -> journal.acknowledged() >= from + more, "writes are not acknowledged");
    }

    static void await(Stage.Condition condition, String otherwise) throws IOException, Violation {
        if (!Stage.comes(condition, WAIT_SECONDS)) {
            throw new Violation(otherwise + " within " + WAIT_SECONDS + " s");
        }
    }

    /// Strikes a node on its way to being ready: the moment is in the second half of a usual start, because in the
    /// first one a JVM loads classes. It says that it listens when it is recovered.
    void strikeRecovery(Random random, Fault fault, String inRecovery, String afterIt) throws Exception {
        ServedNode starting = ServedNode.launch(stage, data, start);
        Thread.sleep((long) (readyMillis.getLast() * (0.5 + random.nextDouble() / 2)));
        fault.strike(starting);
        boolean isRecovered = Files.readString(starting.log()).contains("listening on ");
        figures.add(isRecovered ? afterIt : inRecovery, 1);
    }
}
