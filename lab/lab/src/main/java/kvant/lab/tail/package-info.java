/// Where the time of the slowest requests went: what the generator saw, matched with what the node recorded.
@NullMarked
package kvant.lab.tail;

import org.jspecify.annotations.NullMarked;
