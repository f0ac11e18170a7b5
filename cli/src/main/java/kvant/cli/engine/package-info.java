/// Which engine and with which options: what several commands ask for in the same words.
@NullMarked
package kvant.cli.engine;

import org.jspecify.annotations.NullMarked;
