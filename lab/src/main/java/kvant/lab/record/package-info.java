/// What a run recorded: histograms, counters, windows of time.
@NullMarked
package kvant.lab.record;

import org.jspecify.annotations.NullMarked;
