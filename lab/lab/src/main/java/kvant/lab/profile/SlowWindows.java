package kvant.lab.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import one.jfr.JfrReader;
import org.jspecify.annotations.Nullable;

/// The periods in which samples count: while at least one slow request was in progress, without overlaps.
///
/// If every window names threads, only their samples count.
///
/// @param always merged windows of all requests
/// @param ofThread merged windows by thread
record SlowWindows(
        int requests, boolean byThread, NavigableMap<Long, Long> always, Map<Long, NavigableMap<Long, Long>> ofThread) {

    static SlowWindows of(List<SlowWindow> windows) {
        boolean byThread = !windows.isEmpty()
                && windows.stream().noneMatch(window -> window.threads().isEmpty());
        List<SlowWindow> sorted = new ArrayList<>(windows);
        sorted.sort(Comparator.comparingLong(SlowWindow::fromNanos));
        NavigableMap<Long, Long> always = new TreeMap<>();
        Map<Long, NavigableMap<Long, Long>> ofThread = new HashMap<>();
        for (SlowWindow window : sorted) {
            append(always, window);
            for (Long thread : window.threads()) {
                append(ofThread.computeIfAbsent(thread, _ -> new TreeMap<>()), window);
            }
        }
        return new SlowWindows(windows.size(), byThread, always, ofThread);
    }

    /// Merges overlapping windows. Windows are added in order of their start.
    private static void append(NavigableMap<Long, Long> union, SlowWindow window) {
        Map.Entry<Long, Long> last = union.lastEntry();
        if (last != null && window.fromNanos() <= last.getValue()) {
            union.put(last.getKey(), Math.max(last.getValue(), window.toNanos()));
        } else {
            union.put(window.fromNanos(), window.toNanos());
        }
    }

    /// The number of samples within the windows, of a series of samples of a thread at regular intervals from this time
    /// on.
    long count(long thread, long timeNanos, long samples, long intervalNanos) {
        @Nullable NavigableMap<Long, Long> windows = byThread ? ofThread.get(thread) : always;
        long counted = 0;
        for (long i = 0; windows != null && i < samples; i++) {
            long time = timeNanos + i * intervalNanos;
            Map.Entry<Long, Long> window = windows.floorEntry(time);
            counted += window != null && time <= window.getValue() ? 1 : 0;
        }
        return counted;
    }

    /// The time from start to end of a slow request, in the clock of `System.nanoTime`.
    ///
    /// @param threads the kernel's numbers of the threads that worked for it; empty if unknown
    public record SlowWindow(long fromNanos, long toNanos, Set<Long> threads) {

        /// Maximum number of requests; more add no information.
        private static final int MOST = 100_000;

        /// A field of a request event: nanoseconds of the request that had passed before the event began.
        private static final String BEFORE = "readTime";

        public SlowWindow {
            if (toNanos < fromNanos) {
                throw new IllegalArgumentException("a request that ends before it begins");
            }
            threads = Set.copyOf(threads);
        }

        /// The requests that a node reported to the JVM's own recorder, in the same file.
        ///
        /// @throws UserException if the recording cannot be read
        static List<SlowWindow> ofRecording(Path jfr, Duration threshold) {
            try {
                List<SlowWindow> windows = new ArrayList<>();
                long offset = epochToNanoTime(jfr);
                try (RecordingFile file = new RecordingFile(jfr)) {
                    while (file.hasMoreEvents() && windows.size() < MOST) {
                        RecordedEvent event = file.readEvent();
                        if (event.getEventType().getName().equals(ProfilePlan.REQUEST_EVENT)) {
                            long before = event.hasField(BEFORE) ? event.getLong(BEFORE) : 0;
                            long length = before + event.getDuration().toNanos();
                            if (length >= threshold.toNanos()) {
                                long from = epochNanos(event.getStartTime()) + offset - before;
                                windows.add(new SlowWindow(from, from + length, threadsOf(event)));
                            }
                        }
                    }
                }
                return windows;
            } catch (IOException e) {
                throw new UserException("cannot read the requests in " + jfr + ": " + FileTrouble.reading(e), e);
            }
        }

        /// All threads named in fields of the event. The writing thread is excluded: it may have done nothing
        /// else.
        private static Set<Long> threadsOf(RecordedEvent event) {
            Set<Long> threads = new HashSet<>();
            for (ValueDescriptor field : event.getFields()) {
                if (!field.getName().equals("eventThread")
                        && event.getValue(field.getName()) instanceof RecordedThread thread
                        && thread.getOSThreadId() > 0) {
                    threads.add(thread.getOSThreadId());
                }
            }
            return threads;
        }

        private static long epochNanos(Instant time) {
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
        }

        /// The offset from nanoseconds since 1970 to the profiler's clock. The profiler's part of the recording
        /// has both.
        private static long epochToNanoTime(Path jfr) throws IOException {
            try (JfrReader reader = new JfrReader(jfr.toString())) {
                reader.stopAtNewChunk = true;
                while (reader.hasMoreChunks()) {
                    while (reader.readEvent() != null) {
                        // read up to the settings, and to the next chunk
                    }
                    if (SampleConverter.isOwn(reader)) {
                        return reader.chunkStartTicks - reader.chunkStartNanos;
                    }
                }
            }
            throw new UserException(jfr + " is not a recording of the profiler");
        }
    }
}
