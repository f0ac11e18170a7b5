/// Profiles of a running JVM and their evaluation: flame graphs, the heaviest frames, differences between two profiles.
@NullMarked
package kvant.lab.profile;

import org.jspecify.annotations.NullMarked;
