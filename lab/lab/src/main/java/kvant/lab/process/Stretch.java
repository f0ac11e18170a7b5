package kvant.lab.process;

import java.time.Instant;

/// A stretch of the measured time of a step. What was measured in slices has several, one after the other on the
/// timeline of the step, whatever lay between them.
///
/// @param from wall clock at its start
/// @param fromNanos the same, of `System.nanoTime`
/// @param nanos its length
/// @param at where it begins on the timeline of the step
public record Stretch(Instant from, long fromNanos, long nanos, long at) {

    /// Whether something that went on then was, in part at least, in this stretch.
    ///
    /// @param begin since the start of the stretch
    /// @param end since the start of the stretch
    boolean has(long begin, long end) {
        return end >= 0 && begin <= nanos;
    }
}
