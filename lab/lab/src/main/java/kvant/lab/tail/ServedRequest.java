package kvant.lab.tail;

import jdk.jfr.consumer.RecordedEvent;

/// A request as recorded by the node: the nano times at which its stages ended.
///
/// @param port of the client
/// @param part kind of the engine's stage
/// @param threadFree whether no request was queued before it at the handover
record ServedRequest(
        int port,
        Part part,
        long readNanos,
        long queuedNanos,
        long startedNanos,
        long doneNanos,
        long settledNanos,
        long writtenNanos,
        boolean threadFree) {

    static ServedRequest of(RecordedEvent event) {
        long read = event.getLong("readNanos");
        long queued = read + event.getLong("readTime");
        long started = queued + event.getLong("queueTime");
        long done = started + event.getLong("engineTime");
        long settled = done + event.getLong("deliverTime");
        return new ServedRequest(
                event.getInt("remotePort"),
                partOf(event.getString("operation")),
                read,
                queued,
                started,
                done,
                settled,
                settled + event.getLong("writeTime"),
                event.getBoolean("threadFree"));
    }

    /// The kind of time between the start on a thread and the engine's answer.
    static Part partOf(String operation) {
        return switch (operation) {
            case "get", "range" -> Part.ENGINE_READ;
            case "put", "delete", "batch" -> Part.GROUP_COMMIT;
            default -> Part.EXECUTOR;
        };
    }
}
