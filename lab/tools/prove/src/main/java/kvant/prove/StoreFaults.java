package kvant.prove;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import kvant.client.Key;
import kvant.client.KvantClient;
import kvant.client.KvantException;
import kvant.lab.run.ServedNode;
import kvant.prove.StoreRun.Fault;
import kvant.prove.StoreRun.Setting;
import kvant.prove.fault.FakeClock;
import kvant.prove.fault.FaultyDisk;
import kvant.prove.fault.FullDisk;
import kvant.prove.fault.LoopDisk;
import kvant.prove.fault.NetProxy;
import kvant.prove.journal.Habits;
import kvant.prove.stage.Violation;

/// The faults of a [StoreRun]. SIGKILL and power cuts end a node at once. It lives through disks that fail or are full,
/// clocks that jump, a pause, connections that break, and is ended afterwards.
final class StoreFaults {

    private static final int MOST_KILLS = 5;
    private static final int MOST_CONTROLS = 5;
    private static final int RECOVERY_EVERY = 3;
    private static final String LOST = "acknowledged and lost";

    /// A sync begins within the interval, and takes its time on a busy machine.
    private static final long SYNC_MILLIS = 2_000;

    private static final int DISK_MEBIBYTES = 160;
    private static final int SOME = 20;
    private static final long RESUME_MILLIS = 5_000;
    private static final long HOUR = 3_600;
    private static final long YEAR = 365 * 24 * HOUR;
    private static final long[] JUMPS = {-HOUR, YEAR, 0, HOUR, -YEAR, 0};
    private static final long STOPPED_MILLIS = 5_000;
    private static final long RECOVER_MILLIS = 10_000;
    private static final int NET_FAULTS = 12;
    private static final long LOST_MILLIS = 200;

    /// Before those of the journal.
    private static final Key PROBE = Key.of("a");

    private StoreFaults() {}

    /// Kills the node, then up to five starting nodes, each on its way to being ready.
    static Fault killRecoveries(StoreRun run) {
        run.figures.add("killed before ready", 0);
        return node -> {
            node.kill();
            Random random = run.stage.random(-2);
            for (int kills = 1 + random.nextInt(MOST_KILLS); kills > 0; kills--) {
                run.strikeRecovery(random, ServedNode::kill, "killed before ready", "killed once ready");
            }
        };
    }

    /// Cuts the power, in every third trip also during the recovery. First the control: with durability `none` a cut
    /// must lose something, else cuts of this disk prove nothing.
    static Setting power(String type) {
        return run -> {
            LoopDisk disk = new LoopDisk(run.stage, type);
            StoreRun control = new StoreRun(run.stage, Habits.PUTS, StoreRun.lsm("none", "2MiB"));
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
            return node -> {
                long _ = cut(node, disk);
                if (run.stage.trip() % RECOVERY_EVERY == 0) {
                    Random random = run.stage.random(-2);
                    run.strikeRecovery(
                            random, starting -> cut(starting, disk), "cuts during recovery", "cuts once ready");
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
            LoopDisk disk = new LoopDisk(run.stage, "ext4");
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
        return node -> moment[0] = cut(node, disk);
    }

    /// The disk of the logs fails, and heals. The kernel says EIO once and forgets what it could not write, so that the
    /// log must not be synced again.
    static Fault failIo(StoreRun run) throws Exception {
        FaultyDisk disk = new FaultyDisk(run.stage);
        run.start = run.start.with(
                List.of("--lsm.log-dir", disk.folder().resolve("logs").toString()));
        return node -> {
            KvantClient client = KvantClient.of(node.uri());
            disk.fail();
            StoreRun.await(() -> isRefused(client), "a node whose disk fails takes writes, not refused");
            disk.heal();
            run.journal.stop();
            for (int i = 0; i < SOME; i++) {
                if (!isRefused(client)) {
                    throw new Violation("a write was not refused after a failed sync, before a restart");
                }
                client.get(PROBE);
            }
            run.figures.add("refused after the disk healed", SOME).add("reads answered meanwhile", SOME);
            node.kill();
            disk.remount();
        };
    }

    private static boolean isRefused(KvantClient client) {
        try {
            client.put(PROBE, new byte[1]);
            client.delete(PROBE);
            return false;
        } catch (KvantException.Refused _) {
            return true;
        } catch (KvantException _) {
            return false; // the write that meets the error itself
        }
    }

    /// The disk becomes full, has room again, and in every second trip is full when the node is killed.
    static Fault fill(StoreRun run) throws Exception {
        FullDisk disk = new FullDisk(run.stage, DISK_MEBIBYTES);
        run.data = disk.folder().resolve("data");
        return node -> {
            long refused = run.journal.refused();
            disk.fill();
            StoreRun.await(() -> run.journal.refused() >= refused + SOME, "a full disk refuses no write");
            KvantClient.of(node.uri()).get(PROBE);
            long freed = System.nanoTime();
            disk.free();
            run.awaitAcknowledged(SOME);
            long millis = millisSince(freed);
            run.figures.add("most ms until writes resume", millis);
            if (millis > RESUME_MILLIS) {
                throw new Violation("writes resumed " + millis + " ms after the disk had room again");
            }
            if (run.stage.trip() % 2 == 0) {
                disk.fill();
            }
            node.kill();
            disk.free();
        };
    }

    /// The clock of the day jumps. A call that waited for it would have an open outcome, and no more be acknowledged.
    static Fault jump(StoreRun run) throws Exception {
        FakeClock clock = new FakeClock(run.stage.folder());
        run.start = run.start.withEnvironment(clock.environment());
        return node -> {
            for (long jump : JUMPS) {
                clock.shift(jump);
                Thread.sleep(FakeClock.SET_MILLIS);
                run.awaitAcknowledged(SOME);
            }
            run.figures.add("jumps", JUMPS.length);
            clock.shift(JUMPS[run.stage.trip() % JUMPS.length]); // the next start has another clock than this end
            node.kill();
        };
    }

    /// The node stands still under clients that try again, at a rate below its capacity.
    static Fault stop(StoreRun run) {
        return node -> {
            long usual = goodput(run, 4);
            node.pause();
            Thread.sleep(STOPPED_MILLIS);
            node.resume();
            long resumed = System.nanoTime();
            long goodput = goodput(run, 1);
            while (goodput * 100 < usual * 95 && millisSince(resumed) < RECOVER_MILLIS) {
                goodput = goodput(run, 1);
            }
            long millis = millisSince(resumed);
            if (goodput * 100 < usual * 95) {
                throw new Violation(
                        millis + " ms after a stop goodput is " + goodput + " writes/s, before it " + usual);
            }
            run.figures.add("most ms until 95 % of goodput", millis);
            node.kill();
        };
    }

    private static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }

    /// Writes acknowledged in a second.
    private static long goodput(StoreRun run, int seconds) throws InterruptedException {
        long begin = System.nanoTime();
        long from = run.journal.acknowledged();
        Thread.sleep(seconds * 1_000L);
        return (run.journal.acknowledged() - from) * 1_000 / millisSince(begin);
    }

    /// Connections are delayed, half-closed, reset, and cut off from their answers.
    static Fault breakConnections(StoreRun run) throws Exception {
        NetProxy proxy = run.stage.keep(new NetProxy());
        run.route = proxy::before;
        return node -> {
            Random random = run.stage.random(-2);
            for (int i = 0; i < NET_FAULTS && run.journal.isWriting(); i++) {
                strike(proxy, random);
                Thread.sleep(random.nextInt(50));
            }
            proxy.delay(0);
            proxy.reset();
            run.journal.stop();
            node.close(); // requests in flight end first
        };
    }

    private static void strike(NetProxy proxy, Random random) throws InterruptedException {
        switch (random.nextInt(4)) {
            case 0 -> proxy.delay(random.nextInt(30));
            case 1 -> proxy.halfClose();
            case 2 -> {
                proxy.loseAnswers(true);
                Thread.sleep(random.nextLong(LOST_MILLIS));
                proxy.reset();
                proxy.loseAnswers(false);
            }
            default -> proxy.reset();
        }
    }
}
