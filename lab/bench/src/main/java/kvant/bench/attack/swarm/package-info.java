/// Many simultaneous hostile connections that follow scripts.
@NullMarked
package kvant.bench.attack.swarm;

import org.jspecify.annotations.NullMarked;
