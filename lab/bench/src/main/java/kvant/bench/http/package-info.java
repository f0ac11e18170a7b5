/// Comparison of HTTP servers under the same load: the node with each of its executors, and static answers.
@NullMarked
package kvant.bench.http;

import org.jspecify.annotations.NullMarked;
