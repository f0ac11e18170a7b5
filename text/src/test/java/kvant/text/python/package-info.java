/// Programs in Python that tests of several modules run.
@NullMarked
package kvant.text.python;

import org.jspecify.annotations.NullMarked;
