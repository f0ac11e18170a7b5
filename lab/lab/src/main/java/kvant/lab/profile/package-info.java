/// Profiles of a running JVM, and what they say: flame graphs, the heaviest frames, differences between
/// two of them.
@NullMarked
package kvant.lab.profile;

import org.jspecify.annotations.NullMarked;
