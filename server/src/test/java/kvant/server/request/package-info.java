@NullMarked
package kvant.server.request;

import org.jspecify.annotations.NullMarked;
