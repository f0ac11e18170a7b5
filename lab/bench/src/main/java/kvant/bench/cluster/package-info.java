/// The bare driver of Apache Cassandra under the load that a node of Kvant gets, to measure what the node adds.
@NullMarked
package kvant.bench.cluster;

import org.jspecify.annotations.NullMarked;
