/// Attribution of the slowest requests' time: the generator's observations, matched with the node's recording.
@NullMarked
package kvant.lab.tail;

import org.jspecify.annotations.NullMarked;
