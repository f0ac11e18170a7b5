@NullMarked
package kvant.server.accesslog;

import org.jspecify.annotations.NullMarked;
