/// A client of a Kvant node. It speaks HTTP over the JDK's client and knows nothing else of the node. Begin with
/// [KvantClient].
@NullMarked
package kvant.client;

import org.jspecify.annotations.NullMarked;
