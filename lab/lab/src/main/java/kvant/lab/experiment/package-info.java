/// Experiments as files: variants, phases, questions, and the order in which they are run.
@NullMarked
package kvant.lab.experiment;

import org.jspecify.annotations.NullMarked;
