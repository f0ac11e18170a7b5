package kvant.lab.process;

import java.time.Instant;

/// A stretch of the measured time of a step. A step measured in slices has several, consecutive on the timeline of the
/// step regardless of the gaps between them.
///
/// @param from wall clock at its start
/// @param fromNanos its start, of `System.nanoTime`
/// @param nanos its length
/// @param at its start on the timeline of the step
public record Stretch(Instant from, long fromNanos, long nanos, long at) {

    /// True if an activity overlaps with this stretch.
    ///
    /// @param begin since the start of the stretch
    /// @param end since the start of the stretch
    boolean has(long begin, long end) {
        return end >= 0 && begin <= nanos;
    }
}
