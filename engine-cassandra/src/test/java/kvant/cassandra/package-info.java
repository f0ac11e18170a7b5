@NullMarked
package kvant.cassandra;

import org.jspecify.annotations.NullMarked;
