/// Backups of a store in a place of their own: each is a list of files, and files that several of them have are there
/// once.
///
///     checkpoint --BackupWriter--> ObjectStore --Restore--> data directory
///                                  |        |
///                            Verification  Retention
@NullMarked
package kvant.backup;

import org.jspecify.annotations.NullMarked;
