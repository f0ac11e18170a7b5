package kvant.lab.profile;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kvant.lab.result.DifferenceRecord;
import kvant.lab.result.ProfileRecord.Frame;
import kvant.text.UserException;

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
        try (BufferedReader lines = Files.newBufferedReader(collapsed)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                CollapsedStack stack = CollapsedStack.parse(line);
                if (stack != null) {
                    shares.add(stack);
                }
            }
        }
        return shares;
    }

    void add(CollapsedStack stack) {
        total += stack.weight();
        List<String> frames = stack.plainFrames();
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
}
