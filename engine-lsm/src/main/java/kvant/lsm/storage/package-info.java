/// The one door to the file system. Tests put another file system behind it, one that loses power.
@NullMarked
package kvant.lsm.storage;

import org.jspecify.annotations.NullMarked;
