/// What the figures of a run allow a person to say, and with what uncertainty.
@NullMarked
package kvant.report.verdict;

import org.jspecify.annotations.NullMarked;
