package kvant.lsm.bytes;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What a method has opened so far: it is closed again, the last first, unless the method comes to its end. To note a
/// part allocates nothing, so that no error of memory leaves one open. For one thread.
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

    /// There is everything, and its owner closes it some day.
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
            // Its failure is not to keep the others open.
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        } finally {
            close();
        }
    }
}
