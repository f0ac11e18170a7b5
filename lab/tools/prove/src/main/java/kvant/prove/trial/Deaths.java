package kvant.prove.trial;

import java.io.IOException;
import java.util.Random;
import kvant.lab.run.ServedProcess;
import kvant.prove.fault.LoopDisk;
import kvant.prove.fault.LoopDisk.FileSystem;
import kvant.prove.journal.Habits;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Node;
import kvant.prove.stage.Violation;

/// Faults that end a node at once: SIGKILL and power cuts.
public final class Deaths {

    private static final int MOST_KILLS = 5;
    private static final int MOST_CONTROLS = 5;
    private static final int RECOVERY_EVERY = 3;
    private static final int WRITES_OF_CONTROL = 300;

    /// A sync begins within the interval, and takes its time on a busy machine.
    private static final long SYNC_MILLIS = 2_000;

    private Deaths() {}

    public static Fault kill(StoreRun run) {
        return struck -> struck.node().kill();
    }

    /// And up to five more that are on their way to being ready.
    public static Fault killRecoveries(StoreRun run) {
        run.figures.add("killed before ready", 0);
        return Deaths::killChain;
    }

    private static void killChain(StoreRun run) throws Exception {
        run.node().kill();
        Random random = run.stage.random(-2);
        for (int kills = 1 + random.nextInt(MOST_KILLS); kills > 0; kills--) {
            ServedProcess starting = run.halfStarted(random);
            run.figures.add(Node.saysReady(starting) ? "killed once ready" : "killed before ready", 1);
            Node.kill(run.stage, starting);
        }
    }

    /// In every third trip once more during the recovery. First the control.
    public static Fault.Setting power(FileSystem type) {
        return run -> {
            LoopDisk disk = new LoopDisk(run.stage, type);
            control(run, disk);
            run.data = disk.folder().resolve("data");
            run.figures.add("cuts during recovery", 0);
            return struck -> {
                long _ = cut(struck.node(), disk);
                if (struck.stage.trip() % RECOVERY_EVERY == 0) {
                    cutRecovery(struck, disk);
                }
            };
        };
    }

    /// The threads stand still first: a sync that the ioctl meets may say that it is done although it is not.
    ///
    /// @return the moment of the cut
    static long cut(Node node, LoopDisk disk) throws Exception {
        node.pause();
        long moment = System.nanoTime();
        disk.cut();
        node.kill();
        disk.remount();
        return moment;
    }

    private static void cutRecovery(StoreRun run, LoopDisk disk) throws Exception {
        ServedProcess starting = run.halfStarted(run.stage.random(-2));
        Node.pause(starting);
        run.figures.add(Node.saysReady(starting) ? "cuts once ready" : "cuts during recovery", 1);
        disk.cut();
        Node.kill(run.stage, starting);
        disk.remount();
    }

    /// With durability `none` a cut must lose something: else cuts of this disk prove nothing.
    private static void control(StoreRun run, LoopDisk disk) throws Exception {
        StoreRun control = new StoreRun(run.stage, Habits.PUTS, StoreRun.lsm("none"));
        control.data = disk.folder().resolve("control");
        for (int i = 0; i < MOST_CONTROLS; i++) {
            long _ = cutUnsynced(control, disk, WRITES_OF_CONTROL);
            run.figures.add("controls (durability none)", 1);
            if (control.figures.of("acknowledged and lost") > 0) {
                run.figures.add("lost by the controls", control.figures.of("acknowledged and lost"));
                return;
            }
        }
        throw new IOException("with durability none no power cut lost a write: these cuts prove nothing");
    }

    /// @return for how many milliseconds before the cut writes are lost
    private static long cutUnsynced(StoreRun run, LoopDisk disk, long writes) throws Exception {
        run.startNode();
        run.journal.write(run.node().uri());
        run.awaitAcknowledged(writes);
        long moment = cut(run.node(), disk);
        run.journal.stop();
        run.startNode();
        long lost = run.journal.checkPrefix(run.node().uri(), run.figures, moment);
        run.node().close();
        return lost;
    }

    /// Under the policies that acknowledge before the sync: a prefix is left, and of `interval` it ends in time.
    public static Figures cutUnsynced(StoreRun run, String policy, long mostMillis) throws Exception {
        LoopDisk disk = new LoopDisk(run.stage, FileSystem.EXT4);
        run.data = disk.folder().resolve("data");
        String cuts = "cuts under " + policy;
        String most = "most ms lost under " + policy;
        while (run.stage.next()) {
            long lost = cutUnsynced(run, disk, 1 + run.stage.random(-1).nextInt(2_000));
            run.figures.add(cuts, 1).most(most, lost);
            if (lost > mostMillis + SYNC_MILLIS) {
                throw new Violation(policy + ": writes acknowledged " + lost + " ms before the cut are lost");
            }
            run.stage.say(run.figures.toString());
        }
        return run.figures.add("holes", 0);
    }
}
