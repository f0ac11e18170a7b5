package kvant.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import kvant.cli.engine.FileTree;
import kvant.engine.Engine;
import kvant.server.warm.Scratch;

/// A store in the directory for temporary files, which goes when it is closed.
record ScratchStore(Path folder, Engine engine) implements Scratch {

    /// @param opener opens a store in a directory that is not there yet
    static ScratchStore open(Function<Path, Engine> opener) throws IOException {
        Path folder = Files.createTempDirectory("kvant-warm-up-");
        boolean opened = false;
        try {
            ScratchStore store = new ScratchStore(folder, opener.apply(folder.resolve("data")));
            opened = true;
            return store;
        } finally {
            if (!opened) {
                FileTree.delete(folder);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            engine.close();
        } finally {
            FileTree.delete(folder);
        }
    }
}
