/// The warm-up of a node: its code is compiled before it says that it is ready.
@NullMarked
package kvant.server.warm;

import org.jspecify.annotations.NullMarked;
