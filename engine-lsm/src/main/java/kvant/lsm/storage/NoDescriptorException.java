package kvant.lsm.storage;

import java.io.IOException;

/// The process may not open another file for now. The operation had no effect.
public final class NoDescriptorException extends IOException {

    private static final long serialVersionUID = 1L;

    public NoDescriptorException(String message, Throwable cause) {
        super(message, cause);
    }
}
