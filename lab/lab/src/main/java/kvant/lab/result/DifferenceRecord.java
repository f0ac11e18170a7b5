package kvant.lab.result;

import java.util.List;

/// The frames in which two profiles differ most.
public record DifferenceRecord(String event, String a, String b, List<Frame> frames) {

    /// @param a share of all samples of profile A with the frame on the stack
    /// @param delta B minus A
    public record Frame(String frame, double a, double b, double delta) {}
}
