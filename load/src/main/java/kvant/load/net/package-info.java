/// Non-blocking sockets: straight system calls on Linux, the JDK's channels elsewhere; and how the threads that use
/// them
/// are scheduled.
@NullMarked
package kvant.load.net;

import org.jspecify.annotations.NullMarked;
