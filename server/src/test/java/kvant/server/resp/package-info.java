@NullMarked
package kvant.server.resp;

import org.jspecify.annotations.NullMarked;
