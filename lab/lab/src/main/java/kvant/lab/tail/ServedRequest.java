package kvant.lab.tail;

import jdk.jfr.consumer.RecordedEvent;

/// A request as the node recorded it: the nano times at which its stages ended.
///
/// @param port of the client
/// @param part what the engine's stage was about
/// @param threadFree whether nobody was before it when it was handed to a thread
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

    /// What the time between a thread's beginning with it and the engine's answer is spent on.
    static Part partOf(String operation) {
        return switch (operation) {
            case "get", "range" -> Part.ENGINE_READ;
            case "put", "delete", "batch" -> Part.GROUP_COMMIT;
            default -> Part.EXECUTOR;
        };
    }
}
