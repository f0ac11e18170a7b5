package kvant.lsm.recover;

import java.io.IOException;
import java.util.List;
import kvant.lsm.memtable.ReplayBuffer;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.WrittenRun;
import org.jspecify.annotations.Nullable;

/// A run that a thread of its own sorts and writes of replayed records, while [Recovery] reads on. Recovery changes
/// nothing of the store meanwhile: it begins the next one, and installs this one, only after [#await].
final class ReplayFlush {

    private final ReplayBuffer records;
    private final List<Long> logs;
    private final Thread thread;

    // Written by the thread, read after its end.
    private WrittenRun written = WrittenRun.NOTHING;
    private @Nullable Throwable failure;

    private ReplayFlush(ReplayBuffer records, long run, RunWriter writer, List<Long> logs) {
        this.records = records;
        this.logs = logs;
        this.thread = Thread.ofPlatform().name("kvant-lsm-replay").unstarted(() -> write(run, writer));
    }

    /// @param records whose owner lets go of them
    /// @param run number of the new run
    /// @param logs that go when the run is there
    static ReplayFlush begin(ReplayBuffer records, long run, RunWriter writer, List<Long> logs) {
        ReplayFlush flush = new ReplayFlush(records, run, writer, logs);
        flush.thread.start();
        return flush;
    }

    private void write(long run, RunWriter writer) {
        try {
            written = writer.flush(records.cursor(), run);
        } catch (Throwable e) { // an error too: whoever opens the store gets it
            failure = e;
        }
    }

    /// Waits for the run.
    ///
    /// @throws IOException when they could not be written
    WrittenRun await() throws IOException {
        join();
        switch (failure) {
            case null -> {
                return written;
            }
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }

    void join() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    List<Long> logs() {
        return logs;
    }

    long lastSequence() {
        return records.lastSequence();
    }
}
