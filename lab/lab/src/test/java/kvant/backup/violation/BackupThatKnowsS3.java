package kvant.backup.violation;

import software.amazon.awssdk.services.s3.S3Client;

/// Runs into a wall on purpose.
public record BackupThatKnowsS3(S3Client client) {}
