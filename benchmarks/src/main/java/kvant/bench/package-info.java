/// Comparisons with peers, in one process and one run. Outside the default build.
@NullMarked
package kvant.bench;

import org.jspecify.annotations.NullMarked;
