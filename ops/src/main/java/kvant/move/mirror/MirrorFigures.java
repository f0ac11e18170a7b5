package kvant.move.mirror;

import kvant.engine.MetricSink;

/// The figures of a mirror for `/metrics`.
final class MirrorFigures {

    private MirrorFigures() {}

    static void measure(MirrorStatus now, long pendingBytes, int lateWrites, MetricSink sink) {
        for (MirrorStatus.State state : MirrorStatus.State.values()) {
            sink.gauge(
                    "kvant_mirror_state",
                    "1 for the state that the mirror is in.",
                    state == now.state() ? 1 : 0,
                    "state",
                    state.word());
        }
        sink.gauge(
                "kvant_mirror_compared_records",
                "Records of the source that the current or last pass has compared.",
                now.comparedRecords());
        sink.gauge("kvant_mirror_compared_bytes", "Their keys and values.", now.comparedBytes());
        sink.counter(
                "kvant_mirror_copied_records_total", "Records that copying wrote to the target.", now.copiedRecords());
        sink.counter(
                "kvant_mirror_deleted_records_total",
                "Records that copying deleted in the target.",
                now.deletedRecords());
        sink.counter(
                "kvant_mirror_failures_total",
                "Writes that the target failed or did not answer in time.",
                now.failures());
        sink.gauge("kvant_mirror_repair_keys", "Keys that wait for the target.", now.repairKeys());
        sink.gauge("kvant_mirror_late_writes", "Writes that were given up and go on in the target.", lateWrites);
        sink.gauge("kvant_mirror_pending_bytes", "Bytes of clients' writes without an outcome.", pendingBytes);
    }
}
