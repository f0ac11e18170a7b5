@NullMarked
package kvant.cassandra.cluster;

import org.jspecify.annotations.NullMarked;
