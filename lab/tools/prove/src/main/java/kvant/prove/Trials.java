package kvant.prove;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import kvant.prove.fault.FakeClock;
import kvant.prove.fault.FaultyDisk;
import kvant.prove.fault.FullDisk;
import kvant.prove.fault.LoopDisk.FileSystem;
import kvant.prove.history.Histories;
import kvant.prove.journal.Habits;
import kvant.prove.stage.Node;
import kvant.prove.stage.Trial;
import kvant.prove.trial.Deaths;
import kvant.prove.trial.Fault;
import kvant.prove.trial.StoreRun;
import kvant.prove.trial.StoreTrial;
import kvant.prove.trial.Troubles;
import kvant.prove.trial.UnsyncedTrial;

/// All trials, in the order of the rows.
final class Trials {

    private static final Supplier<String> ANYWHERE = () -> "";
    private static final int FOREVER_MILLIS = Integer.MAX_VALUE;

    /// What every fault must leave of a store under `always`.
    private static final String KEPT =
            " every acknowledged write is there, and an unanswered one entirely or not at all";

    private static final List<Trial> FAULTS = List.of(
            store("kill-always", 1, "after SIGKILL" + KEPT, "kills", ANYWHERE, Habits.ALL, Deaths::kill),
            new StoreTrial(
                    "kill-rocksdb",
                    1,
                    "after SIGKILL" + KEPT + ", also with the engine rocksdb",
                    "kills",
                    ANYWHERE,
                    Habits.ALL,
                    Node.Start.of("--engine", "rocksdb"),
                    Deaths::kill),
            power(FileSystem.EXT4),
            power(FileSystem.XFS),
            new UnsyncedTrial(
                    "power-interval",
                    "interval=100",
                    100,
                    "after a power cut under interval there is a prefix of the writes, and what is missing is not older"
                            + " than the interval and a sync"),
            new UnsyncedTrial(
                    "power-none",
                    "none",
                    FOREVER_MILLIS,
                    "after a power cut under none there is a prefix of the writes"),
            store(
                    "fail-io",
                    7,
                    "after a failed sync no write is acknowledged before a restart, reads go on, and then" + KEPT,
                    "trips",
                    FaultyDisk::obstacle,
                    Habits.ALL.upTo(20 << 10),
                    Troubles::failIo),
            store(
                    "full",
                    8,
                    "on a full disk writes are refused and reads answered, writes resume within 5 s of room without a"
                            + " restart, and" + KEPT,
                    "fills",
                    FullDisk::obstacle,
                    Habits.ALL.upTo(20 << 10).forEver(),
                    Troubles::fill),
            new StoreTrial(
                    "kill-recovery",
                    12,
                    "a recovery that is killed, up to five times in a row, can be repeated:" + KEPT,
                    "chains",
                    ANYWHERE,
                    Habits.ALL,
                    // Much of the store is in logs, so that a start has something to replay.
                    Node.Start.of("--durability", "always", "--lsm.memtable", "16MiB"),
                    Deaths::killRecoveries),
            store(
                    "clock",
                    17,
                    "a clock that goes back an hour or forward a year changes no order of writes, and no call waits for"
                            + " it",
                    "kills",
                    FakeClock::obstacle,
                    Habits.ALL.forEver(), // times to live follow that clock
                    Troubles::jump),
            new Histories(),
            store(
                    "stop",
                    26,
                    "10 s after a node stood still for 5 s, clients that try again have 95 % of their goodput",
                    "stops",
                    ANYWHERE,
                    Habits.PATIENT,
                    Troubles::stop),
            store(
                    "net",
                    0,
                    "over connections that are delayed, half-closed, reset or lose their answers" + KEPT,
                    "trips",
                    ANYWHERE,
                    Habits.ALL.upTo(120 << 10),
                    Troubles::breakConnections));

    private Trials() {}

    private static Trial store(
            String name,
            int row,
            String promise,
            String counted,
            Supplier<String> reason,
            Habits habits,
            Fault.Setting setting) {
        return new StoreTrial(name, row, promise, counted, reason, habits, StoreRun.lsm("always"), setting);
    }

    private static Trial power(FileSystem type) {
        return store(
                "power-" + type,
                3,
                "after a power cut of " + type + KEPT,
                "cuts",
                type::obstacle,
                Habits.ALL.upTo(120 << 10),
                Deaths.power(type));
    }

    /// With the tests that keep rows, in the order of the rows.
    static Stream<Trial> all() {
        return Stream.concat(FAULTS.stream(), Row.ALL.stream().flatMap(row -> row.tests().stream()))
                .sorted(Comparator.comparingInt(trial -> trial.row() == 0 ? Integer.MAX_VALUE : trial.row()));
    }

    static Optional<Trial> named(String name) {
        return all().filter(trial -> trial.name().equals(name)).findFirst();
    }
}
