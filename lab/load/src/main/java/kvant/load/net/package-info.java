/// Non-blocking sockets, which are straight system calls on Linux and the JDK's channels elsewhere, and how the
/// threads are scheduled that use them.
@NullMarked
package kvant.load.net;

import org.jspecify.annotations.NullMarked;
