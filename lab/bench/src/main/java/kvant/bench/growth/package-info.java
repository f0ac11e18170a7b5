/// How a store behaves when it grows: small heap, many keys, opening, replay.
@NullMarked
package kvant.bench.growth;

import org.jspecify.annotations.NullMarked;
