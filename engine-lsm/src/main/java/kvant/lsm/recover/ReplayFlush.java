package kvant.lsm.recover;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import kvant.engine.Threads;
import kvant.lsm.memtable.ReplayBuffer;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.WrittenRun;
import org.jspecify.annotations.Nullable;

/// A run that a thread of its own sorts and writes of replayed records, while [Recovery] reads on and installs the runs
/// of earlier records.
///
/// @param records released by their owner
/// @param logs to be removed when the run is installed
/// @param task of the thread
record ReplayFlush(ReplayBuffer records, List<Long> logs, FutureTask<WrittenRun> task, Thread thread) {

    /// @param run number of the new run
    static ReplayFlush begin(ReplayBuffer records, long run, RunWriter writer, List<Long> logs) {
        FutureTask<WrittenRun> task = new FutureTask<>(() -> writer.flush(records.cursor(), run));
        Thread thread = Thread.ofPlatform().name("kvant-lsm-replay-" + run).start(task);
        return new ReplayFlush(records, logs, task, thread);
    }

    /// Waits for the run.
    ///
    /// @throws IOException when it could not be written; its files are deleted, as far as possible
    WrittenRun await() throws IOException {
        WrittenRun run = written();
        if (run != null) {
            return run;
        }
        switch (task.exceptionNow()) {
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException("a run was neither written nor refused", e);
        }
    }

    /// Waits until the thread has ended.
    ///
    /// @return the written run; null when it failed, or had to stop
    @Nullable
    WrittenRun written() {
        Threads.join(List.of(thread));
        return task.state() == Future.State.SUCCESS ? task.resultNow() : null;
    }

    long lastSequence() {
        return records.lastSequence();
    }
}
