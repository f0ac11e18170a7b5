/// `kvant bench`: comparisons with other servers and of alternatives with each other, each in one run, as ratios.
/// Nothing depends on this module.
@NullMarked
package kvant.bench;

import org.jspecify.annotations.NullMarked;
