package kvant.lab.result;

import java.util.List;

/// The frames in which two profiles differ most.
public record DifferenceRecord(String event, String a, String b, List<Frame> frames) {

    /// @param a the share of all samples of profile A that have it on the stack
    /// @param delta of B to A
    public record Frame(String frame, double a, double b, double delta) {}
}
