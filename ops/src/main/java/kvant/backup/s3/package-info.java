/// Backups in storage that speaks the protocol of S3.
@NullMarked
package kvant.backup.s3;

import org.jspecify.annotations.NullMarked;
