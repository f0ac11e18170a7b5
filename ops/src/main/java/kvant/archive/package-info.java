/// An archive that follows a store within seconds: bases, which are backups, and the changes between them.
///
///     ChangeFeed --Archiver--> log objects --\
///     checkpoint --Housekeeper--> bases ------+--ArchiveIndex--> Plan --ArchiveRestore--> data directory
@NullMarked
package kvant.archive;

import org.jspecify.annotations.NullMarked;
