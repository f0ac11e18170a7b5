package kvant.server.accesslog;

import java.nio.file.Path;

/// Where requests are told of.
///
/// @param queue lines that an event loop may be ahead of the file
/// @param rotation what bounds it on the disk
public record AccessLogOptions(Path file, AccessLogStyle style, int queue, LogRotation rotation) {

    public static final int DEFAULT_QUEUE = 8192;

    private static final int LEAST_QUEUE = 16;
    private static final int MOST_QUEUE = 1 << 20;

    public AccessLogOptions {
        if (queue < LEAST_QUEUE || queue > MOST_QUEUE) {
            throw new IllegalArgumentException("the queue of the access log has room for " + LEAST_QUEUE + " to "
                    + MOST_QUEUE + " lines, not " + queue);
        }
    }
}
