/// A node under more load than it can serve.
@NullMarked
package kvant.bench.overload;

import org.jspecify.annotations.NullMarked;
