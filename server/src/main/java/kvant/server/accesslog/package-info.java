/// The access log: a line for each request, written off the event loops.
@NullMarked
package kvant.server.accesslog;

import org.jspecify.annotations.NullMarked;
