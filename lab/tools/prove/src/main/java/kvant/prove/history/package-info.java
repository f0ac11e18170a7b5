/// Histories: what many clients saw of a real node across kills, and whether a single store without faults could have
/// answered so.
@NullMarked
package kvant.prove.history;

import org.jspecify.annotations.NullMarked;
