/// What a folder of results holds, read as far as it is there.
@NullMarked
package kvant.lab.study.folder;

import org.jspecify.annotations.NullMarked;
