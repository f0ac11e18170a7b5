/// Backups in S3 and compatible storage.
@NullMarked
package kvant.backup.s3;

import org.jspecify.annotations.NullMarked;
