/// Search for the highest rate that meets an objective; each step is a run.
@NullMarked
package kvant.load.search;

import org.jspecify.annotations.NullMarked;
