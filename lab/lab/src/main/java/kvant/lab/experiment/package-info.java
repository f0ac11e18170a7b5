/// Experiment files: variants, phases, questions, and the execution order.
@NullMarked
package kvant.lab.experiment;

import org.jspecify.annotations.NullMarked;
