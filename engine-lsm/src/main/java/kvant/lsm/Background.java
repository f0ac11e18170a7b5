package kvant.lsm;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.ActivitySink;
import kvant.lsm.flush.FlushJob;
import kvant.lsm.version.Levels;
import kvant.lsm.version.TableInfo;

/// The threads that work while requests are served: one flushes sealed memtables, those of the [Compactor] merge
/// tables. All try again after a failure, and say in the meantime what is wrong.
final class Background {

    private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();

    private final Store store;
    private final Thread flusher;
    private final Compactor compactor;

    Background(Store store, LsmOptions options) {
        this.store = store;
        this.flusher = Thread.ofPlatform().name("kvant-lsm-flush").unstarted(this::flushLoop);
        this.compactor = new Compactor(store, options);
    }

    void start() {
        flusher.start();
        compactor.start();
    }

    Compactor compactor() {
        return compactor;
    }

    /// Waits until all threads have ended, after [Store#beginClose].
    void join() {
        compactor.beginClose();
        boolean interrupted = false;
        List<Thread> threads = new ArrayList<>(compactor.threads());
        threads.add(flusher);
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void flushLoop() {
        for (Store.Sealed next = store.awaitSealed(); next != null; next = store.awaitSealed()) {
            ActivitySink activities = store.activities();
            long activity = activities.began("flush");
            try {
                flush(next);
                store.reportFlush(null);
            } catch (Throwable e) { // an error too: without this thread, writes would wait for ever
                store.reportFlush(Trouble.of("flush", e));
                store.pause(RETRY_NANOS);
            } finally {
                activities.ended(activity);
            }
        }
    }

    private void flush(Store.Sealed sealed) throws IOException {
        long run = Levels.newestRun(store.nextFileNumber());
        List<TableInfo> tables = FlushJob.run(sealed.memtable(), run, store.runWriter(_ -> store.refuseClosing()));
        store.installFlush(sealed, tables);
    }
}
