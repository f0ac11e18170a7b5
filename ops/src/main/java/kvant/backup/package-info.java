/// Backups of a store in a separate place. Each backup is a list of files; a file shared by several backups is stored
/// once.
///
///     checkpoint --BackupWriter--> ObjectStore --Restore--> data directory
///                                  |        |
///                            Verification  Retention
@NullMarked
package kvant.backup;

import org.jspecify.annotations.NullMarked;
