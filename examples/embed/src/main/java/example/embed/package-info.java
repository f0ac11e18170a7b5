/// A program with a store of its own.
@NullMarked
package example.embed;

import org.jspecify.annotations.NullMarked;
