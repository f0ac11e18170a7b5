package kvant.server.warm;

import java.io.IOException;
import java.nio.file.Path;
import kvant.engine.Engine;

/// An engine for a while: when it is closed, nothing is left of it.
public interface Scratch extends AutoCloseable {

    /// Makes one.
    @FunctionalInterface
    interface Opener {
        Scratch open() throws IOException;
    }

    Engine engine();

    /// Goes with the engine, and holds nothing but its files; nobody else can read it.
    Path folder();

    @Override
    void close() throws IOException;
}
