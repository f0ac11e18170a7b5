@NullMarked
package kvant.cluster;

import org.jspecify.annotations.NullMarked;
