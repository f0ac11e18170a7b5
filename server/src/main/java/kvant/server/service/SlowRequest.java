package kvant.server.service;

import java.util.Locale;
import kvant.engine.Write;
import kvant.server.request.Request;
import kvant.server.request.RequestTrace;
import org.jspecify.annotations.Nullable;

/// One of the slowest requests of its minute.
///
/// @param endedNanos nano time at which the answer was written; the stages lie before it
/// @param endedMillis the same by the wall clock
/// @param key its first bytes; bytes other than printable ASCII as `%XX`
/// @param trace ids of the request and its trace; it always has an id
/// @param commit the engine's part of a write, by steps; null where the engine does not report them
public record SlowRequest(
        long endedNanos,
        long endedMillis,
        String operation,
        String result,
        String key,
        RequestTrace trace,
        long readNanos,
        long queueNanos,
        long engineNanos,
        long deliverNanos,
        long writeNanos,
        @Nullable Commit commit) {

    private static final int KEY_BYTES = 48;

    /// The durations of a write's steps in the engine.
    ///
    /// @param waitNanos until the engine began with its group: the hand-over, the group before it, stalls
    /// @param appendNanos in the log
    /// @param syncNanos for the disk
    /// @param applyNanos in the memtable
    public record Commit(long waitNanos, long appendNanos, long syncNanos, long applyNanos) {

        static @Nullable Commit of(Call call) {
            Write.Steps steps = call.steps;
            return steps == null
                    ? null
                    : new Commit(
                            steps.beganNanos() - call.startedNanos(),
                            steps.appendedNanos() - steps.beganNanos(),
                            steps.syncedNanos() - steps.appendedNanos(),
                            steps.appliedNanos() - steps.syncedNanos());
        }
    }

    static SlowRequest of(Call call, String operation, String result, long nowNanos) {
        return new SlowRequest(
                nowNanos,
                System.currentTimeMillis(),
                operation,
                result,
                keyOf(call.request()),
                call.named(),
                call.queuedNanos() - call.readNanos(),
                call.startedNanos() - call.queuedNanos(),
                call.doneNanos() - call.startedNanos(),
                call.settledNanos() - call.doneNanos(),
                nowNanos - call.settledNanos(),
                Commit.of(call));
    }

    public long totalNanos() {
        return readNanos + queueNanos + engineNanos + deliverNanos + writeNanos;
    }

    public long beganNanos() {
        return endedNanos - totalNanos();
    }

    private static String keyOf(Request request) {
        return switch (request) {
            case Request.Get get -> printable(get.key());
            case Request.Record record -> printable(record.key());
            case Request.Entries entries -> printable(entries.keys().getFirst());
            case Request.Put put -> printable(put.key());
            case Request.Delete delete -> printable(delete.key());
            case Request.Update update -> printable(update.key());
            case Request.Scan scan -> printable(scan.range().from());
            case Request.Changes _, Request.Batch _, Request.Probe _, Request.ReadOnly _, Request.Page _ -> "";
        };
    }

    private static String printable(byte[] key) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(key.length, KEY_BYTES); i++) {
            byte b = key[i];
            if (b > ' ' && b < 0x7f && b != '%' && b != '"' && b != '\\') {
                text.append((char) b);
            } else {
                text.append(String.format(Locale.ROOT, "%%%02X", b));
            }
        }
        return text.append(key.length > KEY_BYTES ? "..." : "").toString();
    }
}
