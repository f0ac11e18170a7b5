package kvant.lab.tail;

import jdk.jfr.consumer.RecordedEvent;

/// What a flight recorder has lost of its events because its buffers were full. Whatever is counted or summed up of
/// such a recording may be wrong.
///
/// Owned by one thread.
public final class LostEvents {

    public static final String EVENT = "jdk.DataLoss";

    private long bytes;

    /// Takes an event by which the recorder tells of a loss.
    public void add(RecordedEvent event) {
        bytes += event.getLong("amount");
    }

    public long bytes() {
        return bytes;
    }
}
