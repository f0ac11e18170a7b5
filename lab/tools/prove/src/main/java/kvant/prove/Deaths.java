package kvant.prove;

import java.io.IOException;
import java.util.Random;
import kvant.lab.run.ServedNode;
import kvant.prove.StoreRun.Fault;
import kvant.prove.StoreRun.Setting;
import kvant.prove.fault.LoopDisk;
import kvant.prove.fault.LoopDisk.FileSystem;
import kvant.prove.journal.Habits;
import kvant.prove.stage.Violation;

/// Faults that end a node at once: SIGKILL and power cuts.
final class Deaths {

    private static final int MOST_KILLS = 5;
    private static final int MOST_CONTROLS = 5;
    private static final int RECOVERY_EVERY = 3;
    private static final String LOST = "acknowledged and lost";

    /// A sync begins within the interval, and takes its time on a busy machine.
    private static final long SYNC_MILLIS = 2_000;

    private Deaths() {}

    static Fault kill(StoreRun run) {
        return () -> run.node().kill();
    }

    /// Kills the node, then up to five starting nodes, each on its way to being ready.
    static Fault killRecoveries(StoreRun run) {
        run.figures.add("killed before ready", 0);
        return () -> {
            run.node().kill();
            Random random = run.stage.random(-2);
            for (int kills = 1 + random.nextInt(MOST_KILLS); kills > 0; kills--) {
                ServedNode starting = run.halfStarted(random);
                run.count(starting, "killed before ready", "killed once ready");
                starting.kill();
            }
        };
    }

    /// Cuts the power, in every third trip also during the recovery. First the control: with durability `none` a cut
    /// must lose something, else cuts of this disk prove nothing.
    static Setting power(FileSystem type) {
        return run -> {
            LoopDisk disk = new LoopDisk(run.stage, type);
            StoreRun control = new StoreRun(run.stage, Habits.PUTS, StoreRun.lsm("none"));
            control.data = disk.folder().resolve("control");
            Fault unsynced = unsynced(control, disk, "none", Long.MAX_VALUE);
            for (int i = 0; i < MOST_CONTROLS && control.figures.number(LOST) == 0; i++) {
                control.trip(unsynced);
                control.checked().close();
                run.figures.add("controls (durability none)", 1);
            }
            if (control.figures.number(LOST) == 0) {
                throw new IOException("with durability none no power cut lost a write: these cuts prove nothing");
            }
            run.stage.drop(control.journal); // both write one file
            run.figures.add("lost by the controls", control.figures.number(LOST));
            run.data = disk.folder().resolve("data");
            run.figures.add("cuts during recovery", 0);
            return () -> {
                long _ = cut(run.node(), disk);
                if (run.stage.trip() % RECOVERY_EVERY == 0) {
                    ServedNode starting = run.halfStarted(run.stage.random(-2));
                    long _ = cut(starting, disk);
                    run.count(starting, "cuts during recovery", "cuts once ready");
                }
            };
        };
    }

    /// The threads stand still first: a sync that the ioctl meets may say that it is done although it is not.
    ///
    /// @return the moment of the cut
    private static long cut(ServedNode node, LoopDisk disk) throws Exception {
        node.pause();
        long moment = System.nanoTime();
        disk.cut();
        node.kill();
        disk.remount();
        return moment;
    }

    /// Power cuts under a policy that acknowledges before the sync: the remaining writes are a prefix, and that of
    /// `interval` ends in time.
    ///
    /// @param mostMillis that may be lost, besides those of a sync
    static Setting cutUnsynced(String policy, long mostMillis) {
        return run -> {
            LoopDisk disk = new LoopDisk(run.stage, FileSystem.EXT4);
            run.data = disk.folder().resolve("data");
            run.never = "holes";
            return unsynced(run, disk, policy, mostMillis);
        };
    }

    private static Fault unsynced(StoreRun run, LoopDisk disk, String policy, long mostMillis) {
        run.most = 2_000; // more than a memtable
        long[] moment = {System.nanoTime()};
        run.judge = check -> {
            long lost = check.prefix(moment[0]);
            run.figures.add("most ms lost under " + policy, lost);
            if (lost - SYNC_MILLIS > mostMillis) {
                throw new Violation(policy + ": writes acknowledged " + lost + " ms before the cut are lost");
            }
        };
        return () -> moment[0] = cut(run.node(), disk);
    }
}
