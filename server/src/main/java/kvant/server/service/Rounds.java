package kvant.server.service;

import java.util.Objects;
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

/// The state of a call that is answered in rounds, kept from one round to the next. All methods but [#pull] are
/// called on the event loop of the call, between rounds.
abstract class Rounds {

    // Constant.
    final Call call;
    final ScanLimiter underWay;
    private final CallExecutor executor;

    // Owned by the worker of the round.
    private boolean delivered;

    Rounds(CallExecutor executor, ScanLimiter underWay, Call call) {
        this.executor = executor;
        this.underWay = underWay;
        this.call = call;
    }

    /// Worker only: runs a round of about as many bytes as asked for, and at least one record where there is one.
    ///
    /// @return null where the round is no longer needed
    @Nullable
    abstract Outcome pull(int maxBytes, AnswerMemory answers);

    /// Worker only: the outcome of a round. Until something has been sent, a failure is an ordinary error answer.
    final Outcome outcomeOf(RecordBatch batch) {
        Outcome.Failed failure = batch.failure();
        if (failure != null && !delivered) {
            return failure;
        }
        delivered = true;
        return new Outcome.Records(batch);
    }

    /// Starts the next round, now or when there is something for it.
    void resume() {
        underWay.resumed();
        force();
    }

    /// Hands the call to the executor.
    final void force() {
        executor.force(call);
    }

    /// Ends the round.
    final void settled() {
        underWay.ended();
    }

    /// Handles the client's disconnection.
    ///
    /// @return whether the next round was asked for and has not been handed to the executor; it never will be
    boolean leave() {
        return false; // it was handed on at once
    }

    /// Releases the held resources, on a thread that may block; no further round is needed.
    abstract void closeLater();

    /// Handles the end of the client's input: it has closed its side, or is gone. Only a write shows which.
    void inputEnded() {}

    /// Whether the memory claimed by the largest round stays claimed.
    abstract boolean keepsClaim();

    /// A scan between its rounds: the cursor, the remaining limit, and the reused batch.
    ///
    /// Belongs to the worker that runs the current round; the event loop only asks to have it closed, and only
    /// between rounds. A closing service closes the set of open scans last.
    static final class OpenScan extends Rounds {

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

        /// The claim of the largest batch so far is kept until the end, so that a range of similar records does
        /// not break off in its middle.
        @Override
        @Nullable
        Outcome pull(int maxBytes, AnswerMemory answers) {
            if (closing) {
                close();
                return null;
            }
            batch.clear();
            try {
                Cursor source = Objects.requireNonNull(cursor, "pulled after its end");
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
}
