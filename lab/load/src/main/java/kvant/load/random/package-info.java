/// Random numbers, reproducible from a seed, without allocation.
@NullMarked
package kvant.load.random;

import org.jspecify.annotations.NullMarked;
