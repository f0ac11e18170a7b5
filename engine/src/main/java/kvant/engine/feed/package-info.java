/// What was written, in order, for those who keep a copy of it: caches, indexes, replicas.
@NullMarked
package kvant.engine.feed;

import org.jspecify.annotations.NullMarked;
