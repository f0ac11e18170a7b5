/// Files that are read: YAML of a person, with the line of everything that is wrong in it, and JSON of a program.
@NullMarked
package kvant.lab.yaml;

import org.jspecify.annotations.NullMarked;
