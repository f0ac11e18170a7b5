/// Which key a request asks for: distributions, randomness, and the text of keys and values.
@NullMarked
package kvant.load.keys;

import org.jspecify.annotations.NullMarked;
