/// Notifications to the service manager that started the node.
@NullMarked
package kvant.server.supervise;

import org.jspecify.annotations.NullMarked;
