/// What a node tells the service manager that started it.
@NullMarked
package kvant.server.supervise;

import org.jspecify.annotations.NullMarked;
