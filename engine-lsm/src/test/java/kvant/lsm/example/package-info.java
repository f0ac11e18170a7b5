/// What the documents show, as code that is compiled and run.
@NullMarked
package kvant.lsm.example;

import org.jspecify.annotations.NullMarked;
