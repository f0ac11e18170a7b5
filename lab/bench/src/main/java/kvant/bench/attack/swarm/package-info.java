/// Many hostile connections at once, each with a script of its own pace.
@NullMarked
package kvant.bench.attack.swarm;

import org.jspecify.annotations.NullMarked;
