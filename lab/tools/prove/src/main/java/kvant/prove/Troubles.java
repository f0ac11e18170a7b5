package kvant.prove;

import java.util.List;
import java.util.Random;
import kvant.client.Key;
import kvant.client.KvantClient;
import kvant.client.KvantException;
import kvant.prove.StoreRun.Fault;
import kvant.prove.fault.FakeClock;
import kvant.prove.fault.FaultyDisk;
import kvant.prove.fault.FullDisk;
import kvant.prove.fault.NetProxy;
import kvant.prove.stage.Violation;

/// Faults that a node lives through: disks that fail or are full, clocks that jump, a pause, connections that break.
final class Troubles {

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

    private Troubles() {}

    /// The disk of the logs fails, and heals. The kernel says EIO once and forgets what it could not write, so that the
    /// log must not be synced again.
    static Fault failIo(StoreRun run) throws Exception {
        FaultyDisk disk = new FaultyDisk(run.stage);
        run.start = run.start.with(
                List.of("--lsm.log-dir", disk.folder().resolve("logs").toString()));
        return () -> {
            KvantClient client = KvantClient.of(run.node().uri());
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
            run.node().kill();
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
        return () -> {
            long refused = run.journal.refused();
            disk.fill();
            StoreRun.await(() -> run.journal.refused() >= refused + SOME, "a full disk refuses no write");
            KvantClient.of(run.node().uri()).get(PROBE);
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
            run.node().kill();
            disk.free();
        };
    }

    /// The clock of the day jumps. A call that waited for it would have an open outcome, and no more be acknowledged.
    static Fault jump(StoreRun run) throws Exception {
        FakeClock clock = new FakeClock(run.stage.folder());
        run.start = run.start.withEnvironment(clock.environment());
        return () -> {
            for (long jump : JUMPS) {
                clock.shift(jump);
                Thread.sleep(FakeClock.SET_MILLIS);
                run.awaitAcknowledged(SOME);
            }
            run.figures.add("jumps", JUMPS.length);
            clock.shift(JUMPS[run.stage.trip() % JUMPS.length]); // the next start has another clock than this end
            run.node().kill();
        };
    }

    /// The node stands still under clients that try again, at a rate below its capacity.
    static Fault stop(StoreRun run) {
        return () -> {
            long usual = goodput(run, 4);
            run.node().pause();
            Thread.sleep(STOPPED_MILLIS);
            run.node().resume();
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
            run.node().kill();
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
        return () -> {
            Random random = run.stage.random(-2);
            for (int i = 0; i < NET_FAULTS && run.journal.isWriting(); i++) {
                strike(proxy, random);
                Thread.sleep(random.nextInt(50));
            }
            proxy.delay(0);
            proxy.reset();
            run.journal.stop();
            run.node().close(); // requests in flight end first
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
