@NullMarked
package kvant.server.access;

import org.jspecify.annotations.NullMarked;
