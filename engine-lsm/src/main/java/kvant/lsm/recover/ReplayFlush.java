package kvant.lsm.recover;

import java.io.IOException;
import java.util.List;
import kvant.engine.Threads;
import kvant.lsm.memtable.ReplayBuffer;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.WrittenRun;
import org.jspecify.annotations.Nullable;

/// A run that a thread of its own sorts and writes of replayed records, while [Recovery] reads on and installs the runs
/// of earlier records.
final class ReplayFlush {

    private final ReplayBuffer records;
    private final List<Long> logs;
    private final Thread thread;

    // Written by the thread, read after its end.
    private @Nullable WrittenRun written;
    private @Nullable Throwable failure;

    private ReplayFlush(ReplayBuffer records, long run, RunWriter writer, List<Long> logs) {
        this.records = records;
        this.logs = logs;
        this.thread = Thread.ofPlatform().name("kvant-lsm-replay-" + run).unstarted(() -> write(run, writer));
    }

    /// @param records released by their owner
    /// @param run number of the new run
    /// @param logs to be removed when the run is installed
    static ReplayFlush begin(ReplayBuffer records, long run, RunWriter writer, List<Long> logs) {
        ReplayFlush flush = new ReplayFlush(records, run, writer, logs);
        flush.thread.start();
        return flush;
    }

    private void write(long run, RunWriter writer) {
        try {
            written = writer.flush(records.cursor(), run);
        } catch (Throwable e) { // an error too: rethrown to the opener of the store
            failure = e;
        }
    }

    /// Waits for the run.
    ///
    /// @throws IOException when it could not be written; its files are deleted, as far as possible
    WrittenRun await() throws IOException {
        Threads.join(List.of(thread));
        WrittenRun run = written;
        if (run != null) {
            return run;
        }
        switch (failure) {
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> throw new IllegalStateException("a run was neither written nor refused", failure);
        }
    }

    /// Waits until the thread has ended.
    ///
    /// @return the written run; null when it failed, or had to stop
    @Nullable
    WrittenRun written() {
        Threads.join(List.of(thread));
        return written;
    }

    List<Long> logs() {
        return logs;
    }

    long lastSequence() {
        return records.lastSequence();
    }
}
