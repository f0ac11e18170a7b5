package kvant.prove;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import kvant.prove.fault.FakeClock;
import kvant.prove.fault.FaultyDisk;
import kvant.prove.fault.FullDisk;
import kvant.prove.fault.LoopDisk.FileSystem;
import kvant.prove.history.Histories;
import kvant.prove.journal.Habits;
import kvant.prove.stage.Trial;
import kvant.prove.trial.Deaths;
import kvant.prove.trial.StoreTrial;
import kvant.prove.trial.Troubles;
import kvant.prove.trial.UnsyncedTrial;

/// All trials, with the tests that keep rows.
final class Trials {

    private static final Habits SMALLER = Habits.ALL.upTo(20 << 10);
    private static final int ANY_MILLIS = Integer.MAX_VALUE;

    private static final List<Trial> FAULTS = List.of(
            new StoreTrial("kill-always", 1, "every acknowledged write is there, an unanswered one whole or not at all")
                    .count("kills", Deaths::kill),
            new StoreTrial("kill-rocksdb", 1, "the same with the engine rocksdb")
                    .serve("--engine", "rocksdb")
                    .count("kills", Deaths::kill),
            power(FileSystem.EXT4),
            power(FileSystem.XFS),
            new UnsyncedTrial(
                    "power-interval", "interval=100", 100, "a prefix; at most an interval and a sync is lost"),
            new UnsyncedTrial("power-none", "none", ANY_MILLIS, "a prefix of the writes"),
            new StoreTrial("fail-io", 7, "no write is acknowledged before a restart, reads continue; then as 1")
                    .need(FaultyDisk::obstacle)
                    .write(SMALLER)
                    .count("trips", Troubles::failIo),
            new StoreTrial("full", 8, "writes are refused, reads answered; writes resume within 5 s of room; then as 1")
                    .need(FullDisk::obstacle)
                    .write(SMALLER.forEver())
                    .count("fills", Troubles::fill),
            new StoreTrial("kill-recovery", 12, "up to five kills in a row change nothing: as 1")
                    .serve("--durability", "always", "--lsm.memtable", "16MiB") // much to replay
                    .count("chains", Deaths::killRecoveries),
            new StoreTrial("clock", 17, "the order of writes is as without, and no call waits for the clock")
                    .need(FakeClock::obstacle)
                    .write(Habits.ALL.forEver()) // times to live follow that clock
                    .count("kills", Troubles::jump),
            new Histories(),
            new StoreTrial("stop", 26, "95 % of the goodput within 10 s; then as 1")
                    .write(Habits.PATIENT)
                    .count("stops", Troubles::stop),
            new StoreTrial("net", 33, "as 1")
                    .write(Habits.ALL.upTo(120 << 10))
                    .count("trips", Troubles::breakConnections));

    private Trials() {}

    private static Trial power(FileSystem type) {
        return new StoreTrial("power-" + type, 3, type + ": every acknowledged write is there; as 1")
                .need(type::obstacle)
                .write(Habits.ALL.upTo(120 << 10))
                .count("cuts", Deaths.power(type));
    }

    /// In the order of the rows.
    static List<Trial> all() {
        return Stream.concat(FAULTS.stream(), Row.ALL.stream().flatMap(row -> row.tests().stream()))
                .sorted(Comparator.comparingInt(Trial::row))
                .toList();
    }
}
