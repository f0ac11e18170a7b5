/// Nodes that are slower by a known amount, by which the laboratory's verdicts are tested.
@NullMarked
package kvant.bench.planted;

import org.jspecify.annotations.NullMarked;
