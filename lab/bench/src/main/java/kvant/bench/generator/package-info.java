/// The load generator compared with another one, and its lateness.
@NullMarked
package kvant.bench.generator;

import org.jspecify.annotations.NullMarked;
