/// `kvant cluster`: Cassandra on this machine.
@NullMarked
package kvant.cli.cluster;

import org.jspecify.annotations.NullMarked;
