/// Mutation tests: a list of deliberate faults next to the tests of each module (`src/test/mutants/*.yaml`), and a
/// program that applies each of them separately and runs the test that must fail.
@NullMarked
package kvant.mutants;

import org.jspecify.annotations.NullMarked;
