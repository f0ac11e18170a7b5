/// `kvant cluster`: Cassandra on this machine.
@NullMarked
package kvant.cluster.command;

import org.jspecify.annotations.NullMarked;
