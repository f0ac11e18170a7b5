package kvant.lab.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import kvant.lab.LabException;
import one.jfr.JfrReader;

/// The time that one slow request was on its way, in the clock of `System.nanoTime`.
///
/// @param threads the kernel's numbers of the threads that worked for it; empty if nobody knows
public record SlowWindow(long fromNanos, long toNanos, Set<Long> threads) {

    /// More requests say nothing more.
    private static final int MOST = 100_000;

    public SlowWindow {
        if (toNanos < fromNanos) {
            throw new IllegalArgumentException("a request that ends before it begins");
        }
        threads = Set.copyOf(threads);
    }

    public static SlowWindow of(long fromNanos, long toNanos) {
        return new SlowWindow(fromNanos, toNanos, Set.of());
    }

    /// The requests in a load generator's `slow.json`.
    ///
    /// @throws LabException naming the file and what is wrong with it
    public static List<SlowWindow> read(Path slowJson) {
        return SlowRequestsFile.read(slowJson);
    }

    /// The requests of which a node told the JVM's own recorder, in the same file.
    ///
    /// @throws LabException if the recording cannot be read
    static List<SlowWindow> ofRecording(Path jfr, Duration threshold) {
        try {
            List<SlowWindow> windows = new ArrayList<>();
            long offset = epochToNanoTime(jfr);
            try (RecordingFile file = new RecordingFile(jfr)) {
                while (file.hasMoreEvents() && windows.size() < MOST) {
                    RecordedEvent event = file.readEvent();
                    if (event.getEventType().getName().equals(CommandText.REQUEST_EVENT)
                            && event.getDuration().compareTo(threshold) >= 0) {
                        long from = epochNanos(event.getStartTime()) + offset;
                        windows.add(
                                new SlowWindow(from, from + event.getDuration().toNanos(), threadsOf(event)));
                    }
                }
            }
            return windows;
        } catch (IOException e) {
            throw new LabException("cannot read the requests in " + jfr + ": " + ProfileFiles.reason(e), e);
        }
    }

    /// All threads that the event names: those of its fields, and the one that wrote it.
    private static Set<Long> threadsOf(RecordedEvent event) {
        Set<Long> threads = new HashSet<>();
        for (ValueDescriptor field : event.getFields()) {
            if (event.getValue(field.getName()) instanceof RecordedThread thread && thread.getOSThreadId() > 0) {
                threads.add(thread.getOSThreadId());
            }
        }
        return threads;
    }

    private static long epochNanos(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
    }

    /// What to add to nanoseconds since 1970 for the profiler's clock. Its own part of the recording
    /// has both.
    private static long epochToNanoTime(Path jfr) throws IOException {
        try (JfrReader reader = new JfrReader(jfr.toString())) {
            reader.stopAtNewChunk = true;
            while (reader.hasMoreChunks()) {
                while (reader.readEvent() != null) {
                    // to the settings, and to the next chunk
                }
                if (SampleConverter.isOwn(reader)) {
                    return reader.chunkStartTicks - reader.chunkStartNanos;
                }
            }
        }
        throw new LabException(jfr + " is not a recording of the profiler");
    }
}
