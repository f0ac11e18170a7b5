/// What the figures of a run allow a person to say, and with what uncertainty.
@NullMarked
package kvant.lab.study.verdict;

import org.jspecify.annotations.NullMarked;
