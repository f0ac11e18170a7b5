/// The highest rate that holds an objective: a search whose steps are runs.
@NullMarked
package kvant.load.search;

import org.jspecify.annotations.NullMarked;
