/// What the machine did during a run, besides what it was asked for.
@NullMarked
package kvant.load.host;

import org.jspecify.annotations.NullMarked;
