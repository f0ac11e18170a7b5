/// How often verdicts are right, tried on rounds whose truth is known.
@NullMarked
package kvant.report.truth;

import org.jspecify.annotations.NullMarked;
