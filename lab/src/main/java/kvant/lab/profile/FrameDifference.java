package kvant.lab.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import kvant.lab.report.Json;

/// A frame in two profiles.
///
/// @param a the share of all samples of A that have it on the stack
record FrameDifference(String frame, double a, double b) {

    private static final int MOST = 50;

    /// Shares are written with three decimals.
    private static final double LEAST = 0.0005;

    double delta() {
        return b - a;
    }

    /// Those that differ most, the greatest difference first.
    static List<FrameDifference> of(FrameShares a, FrameShares b) {
        Set<String> frames = new HashSet<>(a.frames());
        frames.addAll(b.frames());
        List<FrameDifference> differences = new ArrayList<>();
        for (String frame : frames) {
            FrameDifference difference = new FrameDifference(frame, a.inclusive(frame), b.inclusive(frame));
            if (Math.abs(difference.delta()) >= LEAST) {
                differences.add(difference);
            }
        }
        differences.sort(Comparator.comparingDouble((FrameDifference difference) -> -Math.abs(difference.delta()))
                .thenComparing(FrameDifference::frame));
        return differences.subList(0, Math.min(MOST, differences.size()));
    }

    static String json(FrameShares a, String nameA, FrameShares b, String nameB, ProfileEvent event) {
        Json json = new Json();
        json.open();
        json.put("event", event.label()).put("a", nameA).put("b", nameB);
        json.openList("frames");
        for (FrameDifference difference : of(a, b)) {
            json.open();
            json.put("frame", difference.frame());
            json.put("a", difference.a()).put("b", difference.b()).put("delta", difference.delta());
            json.close();
        }
        return json.closeList().close().toString();
    }
}
