package kvant.lab.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
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
}
