package kvant.server.service;

import java.util.Set;
import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.CallExecutor;
import kvant.server.execute.ScanLimiter;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.RecordBatch;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// A scan between its rounds: the cursor, the remaining limit, and the reused batch.
///
/// Belongs to the worker that runs the current round; the event loop only asks to have it closed, and only between
/// rounds. A closing service closes the set of open scans last.
final class OpenScan extends Rounds {

    // Constant.
    private final Set<OpenScan> open;
    private final RecordBatch batch = new RecordBatch();

    // Owned by the worker of the round.
    private @Nullable Cursor cursor;

    // Written by the loop before it hands the call to the executor.
    private boolean closing;

    OpenScan(CallExecutor executor, Set<OpenScan> open, ScanLimiter underWay, Call call) {
        super(executor, underWay, call);
        this.open = open;
    }

    /// Opens the cursor; called once, by the worker of the first round.
    void start(Engine engine, Request.Scan request) {
        cursor = request.ordered() ? engine.scan(request.range()) : engine.export(request.range());
        open.add(this);
        underWay.begun();
    }

    @Override
    boolean keepsClaim() {
        return true;
    }

    /// The claim of the largest batch so far is kept until the end, so that a range of similar records does not break
    /// off in its middle.
    @Override
    @Nullable
    Outcome pull(int maxBytes, AnswerMemory answers) {
        if (closing) {
            close();
            return null;
        }
        batch.clear();
        Cursor source = cursor;
        if (source == null) {
            throw new IllegalStateException("pulled after its end");
        }
        try {
            if (!call.claimAnswer(answers, fill(source, maxBytes))) {
                batch.clear();
                failed(Failures.OVERLOADED);
            }
        } catch (RuntimeException | Error e) {
            failed(Failures.of(e, call::named));
        }
        Outcome outcome = outcomeOf(batch);
        if (batch.last()) {
            close();
        }
        return outcome;
    }

    private void failed(Outcome.Failed reason) {
        batch.breakOff(reason);
        close();
    }

    /// @return about how much memory the batch takes
    private long fill(Cursor source, int maxBytes) {
        long bytes = 0;
        while (bytes < maxBytes) {
            if (!source.next()) {
                batch.complete();
                return bytes;
            }
            byte[] key = source.key();
            byte[] value = source.value();
            batch.add(key, value, source.expiresAtMillis());
            bytes += (long) key.length + value.length + RecordBatch.RECORD_OVERHEAD_BYTES;
        }
        return bytes;
    }

    /// Closes the cursor on a thread that may block.
    @Override
    void closeLater() {
        closing = true;
        force();
    }

    /// Worker only.
    void close() {
        Cursor source = cursor;
        if (source != null) {
            cursor = null;
            open.remove(this);
            source.close();
        }
    }
}
