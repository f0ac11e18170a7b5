package kvant.lsm.recover;

import kvant.engine.MetricSink;

/// The result of opening a store.
///
/// @param logs number of replayed logs
/// @param mutations number of replayed mutations
/// @param tornBytes bytes at the end of the last log that a crash had left unfinished; they had not been acknowledged
///     under `always`, and were cut off
/// @param tables number of tables
/// @param replayedBytes size of the replayed logs
/// @param nanos duration of the whole recovery
public record RecoveryReport(int logs, long mutations, long tornBytes, int tables, long replayedBytes, long nanos) {

    public void measure(MetricSink sink) {
        sink.gauge("kvant_lsm_recovery_seconds", "How long opening the store took.", nanos * 1e-9);
        sink.gauge("kvant_lsm_recovery_replayed_bytes", "Bytes of logs that opening replayed.", replayedBytes);
    }

    @Override
    public String toString() {
        return tables + " tables, " + logs + " logs replayed with " + mutations + " mutations, " + tornBytes
                + " torn bytes cut off";
    }
}
