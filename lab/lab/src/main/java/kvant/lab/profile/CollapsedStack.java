package kvant.lab.profile;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import kvant.lab.result.ThreadFrame;
import org.jspecify.annotations.Nullable;

/// A line of a collapsed file: frames separated by semicolons, from the outermost to the running one, a space, and a
/// weight.
///
/// @param frames with a suffix for their kind of execution, such as `_[j]` for compiled code
record CollapsedStack(List<String> frames, long weight) {

    private static final Pattern SUFFIX = Pattern.compile("_\\[[jik01]]$");

    /// @return null if the line is no stack, such as an empty line
    static @Nullable CollapsedStack parse(String line) {
        int blank = line.lastIndexOf(' ');
        if (blank <= 0) {
            return null;
        }
        try {
            long weight = Long.parseLong(line, blank + 1, line.length(), 10);
            String[] frames = line.substring(0, blank).split(";", -1);
            return weight <= 0 ? null : new CollapsedStack(Arrays.asList(frames), weight);
        } catch (NumberFormatException _) {
            return null;
        }
    }

    /// Normalized frames: without the distinction of compiled and interpreted methods, and with the group of a thread
    /// in place of its number.
    List<String> plainFrames() {
        return frames.stream().map(CollapsedStack::plain).toList();
    }

    private static String plain(String frame) {
        return named(SUFFIX.matcher(frame).replaceFirst(""));
    }

    private static String named(String frame) {
        return ThreadFrame.group(SampleConverter.withoutNumber(frame));
    }

    /// The stack with its weight multiplied by a factor, but at least 1, so that it does not disappear.
    ///
    /// @return a line of a collapsed file; threads lose their process-specific number
    String line(double factor) {
        List<String> named = frames.stream().map(CollapsedStack::named).toList();
        return String.join(";", named) + ' ' + Math.max(1, Math.round(weight * factor));
    }
}
