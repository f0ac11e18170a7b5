package kvant.prove.trial;

import java.util.function.Supplier;
import kvant.prove.journal.Habits;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Node;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Trial;

/// One store that lives through many trips: start, check, load, fault. After the last one it is checked once more.
///
/// @param reason why it cannot be run here, or empty
/// @param counted what a trip is called in the figures, in the plural
public record StoreTrial(
        String name,
        int row,
        String promise,
        Supplier<String> reason,
        Habits habits,
        Node.Start start,
        String counted,
        Fault.Setting setting)
        implements Trial {

    /// On any machine, with all kinds of writes, under `always`.
    public StoreTrial(String name, int row, String promise) {
        this(name, row, promise, () -> "", Habits.ALL, StoreRun.lsm("always"), "", Deaths::kill);
    }

    public StoreTrial need(Supplier<String> obstacle) {
        return new StoreTrial(name, row, promise, obstacle, habits, start, counted, setting);
    }

    public StoreTrial write(Habits others) {
        return new StoreTrial(name, row, promise, reason, others, start, counted, setting);
    }

    public StoreTrial serve(String... arguments) {
        return new StoreTrial(name, row, promise, reason, habits, Node.Start.of(arguments), counted, setting);
    }

    public StoreTrial count(String trips, Fault.Setting fault) {
        return new StoreTrial(name, row, promise, reason, habits, start, trips, fault);
    }

    @Override
    public String obstacle() {
        return reason.get();
    }

    @Override
    public Figures run(Stage stage) throws Exception {
        StoreRun run = new StoreRun(stage, habits, start);
        run.figures.add(counted, 0);
        Fault fault = setting.prepare(run);
        while (stage.next()) {
            run.startNode();
            run.check();
            run.journal.write(run.route.apply(run.node().uri()));
            run.awaitSome();
            fault.strike(run);
            run.journal.stop();
            run.figures.add(counted, 1);
            stage.say(run.figures.toString());
        }
        run.startNode();
        run.check();
        run.node().close();
        return run.held();
    }
}
