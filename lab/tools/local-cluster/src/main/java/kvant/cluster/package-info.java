/// Cassandra nodes of this machine for development and tests: processes of their own, on a Java and a class path of
/// their own. Knows no driver and no engine: it needs the JDK alone.
@NullMarked
package kvant.cluster;

import org.jspecify.annotations.NullMarked;
