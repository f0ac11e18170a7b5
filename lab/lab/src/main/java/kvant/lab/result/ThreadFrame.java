package kvant.lab.result;

import java.util.regex.Pattern;

/// The frame of a thread at the bottom of its stacks, such as `[kvant-worker-2]`.
///
/// Its number is specific to one process. Threads that differ only in numbers form a group, `[kvant-worker-*]`: a
/// difference between two profiles for a single one of them would only show which thread came first.
public final class ThreadFrame {

    private static final Pattern DIGITS = Pattern.compile("\\d+");

    private ThreadFrame() {}

    public static boolean is(String frame) {
        return frame.startsWith("[") && frame.endsWith("]");
    }

    /// The frame of its group; other frames are unchanged.
    public static String group(String frame) {
        return is(frame) ? DIGITS.matcher(frame).replaceAll("*") : frame;
    }
}
