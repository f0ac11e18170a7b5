/// The keys of requests: distributions, random numbers, and the text of keys and values.
@NullMarked
package kvant.load.keys;

import org.jspecify.annotations.NullMarked;
