package kvant.lab.profile;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import kvant.lab.result.ThreadFrame;
import org.jspecify.annotations.Nullable;

/// One line of a collapsed file: frames from the outermost to the one at work, separated by semicolons,
/// a blank, and a weight.
///
/// @param frames with the suffix that says how a frame runs, such as `_[j]` for compiled code
record CollapsedStack(List<String> frames, long weight) {

    private static final Pattern SUFFIX = Pattern.compile("_\\[[jik01]]$");

    /// @return null for what is no stack, such as an empty line
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

    /// Frames as people call them: compiled or interpreted, the same method; whichever of a group, the same
    /// thread.
    List<String> plainFrames() {
        return frames.stream().map(CollapsedStack::plain).toList();
    }

    private static String plain(String frame) {
        return named(SUFFIX.matcher(frame).replaceFirst(""));
    }

    private static String named(String frame) {
        return ThreadFrame.group(SampleConverter.withoutNumber(frame));
    }

    /// The stack as it would be in a profile whose weights are so many times as large. One that is
    /// there stays there.
    ///
    /// @return the line of a collapsed file; threads lose the number that they had in one process
    String line(double factor) {
        List<String> named = frames.stream().map(CollapsedStack::named).toList();
        return String.join(";", named) + ' ' + Math.max(1, Math.round(weight * factor));
    }
}
