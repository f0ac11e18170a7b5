/// What a run recorded: histograms, counters, windows of time.
@NullMarked
package kvant.load.record;

import org.jspecify.annotations.NullMarked;
