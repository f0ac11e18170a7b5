package kvant.prove;

import java.util.List;
import java.util.function.Supplier;
import kvant.prove.fault.FakeClock;
import kvant.prove.fault.FaultyDisk;
import kvant.prove.fault.FullDisk;
import kvant.prove.fault.LoopDisk.FileSystem;
import kvant.prove.history.HistoryRun;
import kvant.prove.journal.Habits;
import kvant.prove.stage.Stage;

/// What the trials of `rows.yaml` do.
final class Trials {

    private static final Habits ALL = Habits.ALL;
    private static final Habits SMALL = ALL.upTo(20 << 10);
    private static final Habits MIDDLE = ALL.upTo(120 << 10);
    private static final String ALWAYS = "always";

    private Trials() {}

    /// In the order of the rows.
    static List<Trial> all() {
        return Row.ALL.stream().flatMap(row -> row.trials().stream()).toList();
    }

    static Trial of(String name, int row, String promise) {
        Supplier<String> obstacle = switch (name) {
            case "power-ext4", "power-interval", "power-none" -> FileSystem.EXT4::obstacle;
            case "power-xfs" -> FileSystem.XFS::obstacle;
            case "fail-io" -> FaultyDisk::obstacle;
            case "full" -> FullDisk::obstacle;
            case "clock" -> FakeClock::obstacle;
            case "proxy" -> ProxyTrial::obstacle;
            default -> () -> "";
        };
        return new Trial(name, row, promise, obstacle, run(name));
    }

    private static Trial.Run run(String name) {
        return switch (name) {
            case "kill-always" -> StoreRun.trips(ALL, StoreRun.lsm(ALWAYS), "kills", Deaths::kill);
            case "kill-rocksdb" -> StoreRun.trips(ALL, Stage.node("--engine", "rocksdb"), "kills", Deaths::kill);
            case "power-ext4" -> StoreRun.trips(MIDDLE, StoreRun.lsm(ALWAYS), "cuts", Deaths.power(FileSystem.EXT4));
            case "power-xfs" -> StoreRun.trips(MIDDLE, StoreRun.lsm(ALWAYS), "cuts", Deaths.power(FileSystem.XFS));
            case "power-interval" -> unsynced("interval=100", 100);
            case "power-none" -> unsynced("none", Long.MAX_VALUE);
            case "fail-io" -> StoreRun.trips(SMALL, StoreRun.lsm(ALWAYS), "trips", Troubles::failIo);
            case "full" -> StoreRun.trips(SMALL.forEver(), StoreRun.lsm(ALWAYS), "fills", Troubles::fill);
            case "kill-recovery" -> // much to replay
                StoreRun.trips(
                        ALL,
                        Stage.node("--durability", ALWAYS, "--lsm.memtable", "16MiB"),
                        "chains",
                        Deaths::killRecoveries);
            case "clock" -> // times to live follow the clock: none is written
                StoreRun.trips(ALL.forEver(), StoreRun.lsm(ALWAYS), "kills", Troubles::jump);
            case "histories" -> HistoryRun::run;
            case "proxy" -> ProxyTrial::run;
            case "soak" -> SoakTrial::run;
            case "stop" -> StoreRun.trips(Habits.PATIENT, StoreRun.lsm(ALWAYS), "stops", Troubles::stop);
            case "net" -> StoreRun.trips(MIDDLE, StoreRun.lsm(ALWAYS), "trips", Troubles::breakConnections);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Trial.Run unsynced(String policy, long mostMillis) {
        StoreRun.Setting cut = Deaths.cutUnsynced(policy, mostMillis);
        return StoreRun.trips(Habits.PUTS, StoreRun.lsm(policy), "cuts under " + policy, cut);
    }
}
