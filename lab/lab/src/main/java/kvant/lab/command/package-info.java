/// Commands of the laboratory: lab and profile.
@NullMarked
package kvant.cli.lab;

import org.jspecify.annotations.NullMarked;
