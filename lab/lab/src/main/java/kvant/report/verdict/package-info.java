/// The conclusions supported by the figures of a run, with their uncertainty.
@NullMarked
package kvant.report.verdict;

import org.jspecify.annotations.NullMarked;
