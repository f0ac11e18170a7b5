package kvant.lsm.bytes;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The resources that a method has opened so far: they are closed, the last first, unless the method completes.
/// Adding one allocates nothing, so that an error of memory leaves none open. For one thread.
///
///     try (Opened opened = new Opened()) {
///         Arena arena = opened.add(Arena.ofShared());
///         ...
///         return opened.all(file);
///     }
public final class Opened implements AutoCloseable {

    private final @Nullable AutoCloseable[] parts = new AutoCloseable[2];
    private int count;

    public <T extends AutoCloseable> T add(T part) {
        parts[count++] = part;
        return part;
    }

    /// Completes the method: the result owns the parts, and its owner closes it.
    public <T> T all(T whole) {
        count = 0;
        return whole;
    }

    @Override
    public void close() throws IOException {
        if (count == 0) {
            return;
        }
        try (AutoCloseable _ = parts[--count]) {
            // A failure of one close must not keep the other parts open.
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        } finally {
            close();
        }
    }
}
