package kvant.lab.result;

import java.util.regex.Pattern;

/// The frame that stands for a thread at the bottom of its stacks, such as `[kvant-worker-2]`.
///
/// Its number is an accident of one process. Threads that differ in numbers alone are one group,
/// `[kvant-worker-*]`: a difference between two profiles that names one of them says which thread came
/// first, and nothing else.
public final class ThreadFrame {

    private static final Pattern DIGITS = Pattern.compile("\\d+");

    private ThreadFrame() {}

    public static boolean is(String frame) {
        return frame.startsWith("[") && frame.endsWith("]");
    }

    /// The frame of its group; other frames stay as they are.
    public static String group(String frame) {
        return is(frame) ? DIGITS.matcher(frame).replaceAll("*") : frame;
    }
}
