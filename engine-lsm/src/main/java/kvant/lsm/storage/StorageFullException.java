package kvant.lsm.storage;

import java.io.IOException;

/// The disk is full.
public final class StorageFullException extends IOException {

    private static final long serialVersionUID = 1L;

    public StorageFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
