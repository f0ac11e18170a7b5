/// Cassandra nodes on this machine for development and tests, as separate processes with their own Java and class path.
/// It depends on no driver and no engine, only on the JDK.
@NullMarked
package kvant.cluster;

import org.jspecify.annotations.NullMarked;
