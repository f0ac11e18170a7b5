/// `kvant bench`: comparisons with other servers, and between alternatives, each in a single run and as ratios. No
/// other module depends on this one.
@NullMarked
package kvant.bench;

import org.jspecify.annotations.NullMarked;
