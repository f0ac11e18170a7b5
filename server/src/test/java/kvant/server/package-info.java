/// Tests of the node over real sockets, against an engine in memory that can be made to block and to fail.
@NullMarked
package kvant.server;

import org.jspecify.annotations.NullMarked;
