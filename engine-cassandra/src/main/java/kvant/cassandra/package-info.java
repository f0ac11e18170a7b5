/// The engine of a cluster: an adapter over the Apache Cassandra driver. It holds no data; sharding, replication and
/// repair are Cassandra's.
@NullMarked
package kvant.cassandra;

import org.jspecify.annotations.NullMarked;
