/// The load generator itself beside another one, and how late it sends.
@NullMarked
package kvant.bench.generator;

import org.jspecify.annotations.NullMarked;
