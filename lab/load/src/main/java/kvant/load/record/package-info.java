/// The records of a run: histograms, counters, windows of time.
@NullMarked
package kvant.load.record;

import org.jspecify.annotations.NullMarked;
