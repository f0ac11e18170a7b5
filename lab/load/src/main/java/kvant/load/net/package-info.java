/// Non-blocking sockets, which are direct system calls on Linux and the JDK's channels elsewhere, and the scheduling
/// priority of their threads.
@NullMarked
package kvant.load.net;

import org.jspecify.annotations.NullMarked;
