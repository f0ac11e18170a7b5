package kvant.lab.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import kvant.lab.result.DifferenceRecord;
import kvant.lab.result.DifferenceRecord.Frame;

/// Finds the frames in which two profiles differ.
final class FrameDifference {

    private static final int MOST = 50;

    /// Shares are written with three decimals.
    private static final double LEAST = 0.0005;

    private FrameDifference() {}

    /// Those that differ most, the greatest difference first.
    static DifferenceRecord of(FrameShares a, String nameA, FrameShares b, String nameB, ProfileEvent event) {
        Set<String> frames = new HashSet<>(a.frames());
        frames.addAll(b.frames());
        List<Frame> differences = new ArrayList<>();
        for (String frame : frames) {
            double inA = a.inclusive(frame);
            double inB = b.inclusive(frame);
            if (Math.abs(inB - inA) >= LEAST) {
                differences.add(new Frame(frame, inA, inB, inB - inA));
            }
        }
        differences.sort(Comparator.comparingDouble((Frame frame) -> -Math.abs(frame.delta()))
                .thenComparing(Frame::frame));
        return new DifferenceRecord(
                event.label(), nameA, nameB, List.copyOf(differences.subList(0, Math.min(MOST, differences.size()))));
    }
}
