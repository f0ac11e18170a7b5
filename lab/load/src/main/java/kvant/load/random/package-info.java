/// Random numbers that a seed reproduces, without allocation.
@NullMarked
package kvant.load.random;

import org.jspecify.annotations.NullMarked;
