package kvant.prove;

import java.util.List;
import java.util.function.Supplier;
import kvant.lab.run.ServedNode;
import kvant.prove.fault.FakeClock;
import kvant.prove.fault.FaultyDisk;
import kvant.prove.fault.FullDisk;
import kvant.prove.fault.LoopDisk;
import kvant.prove.history.HistoryRun;
import kvant.prove.journal.Habits;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;

/// One promise under one kind of fault.
///
/// @param name for `--only`: lower case, hyphens
/// @param row of the table of promises (`rows.yaml`)
/// @param promise in one sentence, without a period
/// @param obstacle the reason that this machine cannot run it, such as "no right to mount"; empty where it can
record Trial(String name, int row, String promise, Supplier<String> obstacle, Run run) {

    private static final Habits ALL = Habits.ALL;
    private static final Habits SMALL = ALL.upTo(20 << 10);
    private static final Habits MIDDLE = ALL.upTo(120 << 10);

    private static final StoreRun.Setting KILL = _ -> ServedNode::kill;

    /// What a run does follows from the [Stage], as far as processes and their moments allow.
    interface Run {

        /// Runs trips until [Stage#next] returns false.
        ///
        /// @return counts of the trips; 0 lost, because a loss is a violation
        /// @throws kvant.prove.stage.Violation where the promise does not hold: the message is one line
        /// @throws Exception where the trial itself fails, which proves nothing
        Figures on(Stage stage) throws Exception;
    }

    /// In the order of the rows.
    static List<Trial> all() {
        return Row.ALL.stream().flatMap(row -> row.trials().stream()).toList();
    }

    /// One that `rows.yaml` names.
    static Trial of(String name, int row, String promise) {
        Supplier<String> obstacle = switch (name) {
            case "power-ext4", "power-interval", "power-none" -> () -> LoopDisk.obstacle("ext4");
            case "power-xfs" -> () -> LoopDisk.obstacle("xfs");
            case "fail-io" -> FaultyDisk::obstacle;
            case "full" -> FullDisk::obstacle;
            case "clock" -> FakeClock::obstacle;
            case "proxy" -> ProxyTrial::obstacle;
            default -> () -> "";
        };
        return new Trial(name, row, promise, obstacle, run(name));
    }

    private static Run run(String name) {
        ServedNode.Start always = StoreRun.lsm("always", "2MiB");
        return switch (name) {
            case "kill-always" -> StoreRun.trips(ALL, always, "kills", KILL);
            case "kill-rocksdb" -> StoreRun.trips(ALL, Stage.node("--engine", "rocksdb"), "kills", KILL);
            case "power-ext4" -> StoreRun.trips(MIDDLE, always, "cuts", StoreFaults.power("ext4"));
            case "power-xfs" -> StoreRun.trips(MIDDLE, always, "cuts", StoreFaults.power("xfs"));
            case "power-interval" -> unsynced("interval=100", 100);
            case "power-none" -> unsynced("none", Long.MAX_VALUE);
            case "fail-io" -> StoreRun.trips(SMALL, always, "trips", StoreFaults::failIo);
            case "full" -> StoreRun.trips(SMALL.forEver(), always, "fills", StoreFaults::fill);
            case "kill-recovery" -> // much to replay
                StoreRun.trips(ALL, StoreRun.lsm("always", "16MiB"), "chains", StoreFaults::killRecoveries);
            case "clock" -> // times to live follow the clock: none is written
                StoreRun.trips(ALL.forEver(), always, "kills", StoreFaults::jump);
            case "histories" -> HistoryRun::run;
            case "proxy" -> ProxyTrial::run;
            case "soak" -> SoakTrial::run;
            case "stop" -> StoreRun.trips(Habits.PATIENT, always, "stops", StoreFaults::stop);
            case "net" -> StoreRun.trips(MIDDLE, always, "trips", StoreFaults::breakConnections);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Run unsynced(String policy, long mostMillis) {
        StoreRun.Setting cut = StoreFaults.cutUnsynced(policy, mostMillis);
        return StoreRun.trips(Habits.PUTS, StoreRun.lsm(policy, "2MiB"), "cuts under " + policy, cut);
    }
}
