/// Non-blocking sockets: straight system calls on Linux, the JDK's channels elsewhere.
@NullMarked
package kvant.load.net;

import org.jspecify.annotations.NullMarked;
