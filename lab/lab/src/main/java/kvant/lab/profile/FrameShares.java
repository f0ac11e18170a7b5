package kvant.lab.profile;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import kvant.lab.profile.ProfilePlan.ProfileEvent;
import kvant.lab.result.ProfileRecord;
import kvant.lab.result.ProfileRecord.DifferenceRecord;
import kvant.lab.result.ProfileRecord.Frame;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The share of each frame in a profile. The file is read line by line: it may contain many stacks, but few frames.
final class FrameShares {

    private static final int MOST_DIFFERENT = 50;

    /// Shares are written with three decimals.
    private static final double LEAST_DIFFERENCE = 0.0005;

    private static final class Weight {
        private long self;
        private long total;
    }

    private final Map<String, Weight> weights = new HashMap<>();
    private long total;

    /// @throws UserException if there is no such file
    static FrameShares read(Path collapsed) throws IOException {
        FrameShares shares = new FrameShares();
        CollapsedStack.readAll(collapsed, shares::add);
        return shares;
    }

    void add(CollapsedStack stack) {
        total += stack.weight();
        List<String> frames = stack.frames().stream()
                .map(frame -> CollapsedStack.named(
                        CollapsedStack.SUFFIX.matcher(frame).replaceFirst("")))
                .toList(); // compiled and interpreted methods are the same
        Set<String> seen = new HashSet<>();
        for (String frame : frames) {
            if (seen.add(frame)) { // a recursion is on the stack once
                weights.computeIfAbsent(frame, _ -> new Weight()).total += stack.weight();
            }
        }
        weights.computeIfAbsent(frames.getLast(), _ -> new Weight()).self += stack.weight();
    }

    /// The weight of all stacks.
    long total() {
        return total;
    }

    /// The share of the stacks that contain this frame.
    double inclusive(String frame) {
        Weight weight = weights.get(frame);
        return weight == null ? 0 : weight.total / (double) total;
    }

    Set<String> frames() {
        return weights.keySet();
    }

    /// The frames with the largest self share.
    List<Frame> top(int most) {
        List<Frame> shares = new ArrayList<>();
        weights.forEach((frame, weight) ->
                shares.add(new Frame(frame, weight.self / (double) total, weight.total / (double) total)));
        shares.sort(Comparator.comparingDouble(Frame::self)
                .thenComparingDouble(Frame::total)
                .reversed()
                .thenComparing(Frame::frame));
        return List.copyOf(shares.subList(0, Math.min(most, shares.size())));
    }

    /// The frames with the largest differences between two profiles, largest first.
    static DifferenceRecord difference(FrameShares a, String nameA, FrameShares b, String nameB, ProfileEvent event) {
        Set<String> frames = new HashSet<>(a.frames());
        frames.addAll(b.frames());
        List<DifferenceRecord.Frame> differences = new ArrayList<>();
        for (String frame : frames) {
            double inA = a.inclusive(frame);
            double inB = b.inclusive(frame);
            if (Math.abs(inB - inA) >= LEAST_DIFFERENCE) {
                differences.add(new DifferenceRecord.Frame(frame, inA, inB, inB - inA));
            }
        }
        differences.sort(Comparator.comparingDouble((DifferenceRecord.Frame frame) -> -Math.abs(frame.delta()))
                .thenComparing(DifferenceRecord.Frame::frame));
        return new DifferenceRecord(
                event.label(),
                nameA,
                nameB,
                List.copyOf(differences.subList(0, Math.min(MOST_DIFFERENT, differences.size()))));
    }

    /// A line of a collapsed file: frames separated by semicolons, from the outermost to the running one, a
    /// space, and a weight.
    ///
    /// @param frames with a suffix for their kind of execution, such as `_[j]` for compiled code
    record CollapsedStack(List<String> frames, long weight) {

        private static final Pattern SUFFIX = Pattern.compile("_\\[[jik01]]$");

        /// Reads a file line by line: it may be long.
        static void readAll(Path collapsed, Reader reader) throws IOException {
            try (BufferedReader lines = Files.newBufferedReader(collapsed)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    CollapsedStack stack = parse(line);
                    if (stack != null) {
                        reader.read(stack);
                    }
                }
            }
        }

        /// Takes stacks.
        interface Reader {
            void read(CollapsedStack stack) throws IOException;
        }

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

        private static String named(String frame) {
            return ProfileRecord.threadGroup(SampleConverter.withoutNumber(frame));
        }

        /// The stack with its weight multiplied by a factor, but at least 1, so that it does not disappear.
        ///
        /// @return a line of a collapsed file; threads lose their process-specific number
        String line(double factor) {
            List<String> named = frames.stream().map(CollapsedStack::named).toList();
            return String.join(";", named) + ' ' + Math.max(1, Math.round(weight * factor));
        }
    }
}
