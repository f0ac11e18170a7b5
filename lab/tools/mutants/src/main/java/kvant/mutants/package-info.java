/// Mutation tests: a list of deliberate faults beside the tests of each module (`src/test/mutants/*.yaml`), and a
/// program that plants each of them alone and runs the test that must fail.
@NullMarked
package kvant.mutants;

import org.jspecify.annotations.NullMarked;
