/// Change feeds: the writes of a store in order, for caches, indexes and replicas.
@NullMarked
package kvant.engine.feed;

import org.jspecify.annotations.NullMarked;
