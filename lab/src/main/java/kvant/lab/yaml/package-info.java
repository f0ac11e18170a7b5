/// YAML with the line of everything that is wrong in it.
@NullMarked
package kvant.lab.yaml;

import org.jspecify.annotations.NullMarked;
