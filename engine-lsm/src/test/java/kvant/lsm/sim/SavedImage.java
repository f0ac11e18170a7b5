package kvant.lsm.sim;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/// The result of a crash, with the data needed to check it again: as files to look at, and as the state of the
/// simulated disk, which knows what of them is durable.
///
/// @param folder that holds them
public record SavedImage(Path folder) {

    private static final String FILES = "files";
    private static final String STATE = "disk.state";
    private static final String FACTS = "facts.properties";

    /// @param facts names and values
    public static SavedImage save(Path folder, SimStorage image, Properties facts) throws IOException {
        Path files = Files.createDirectories(folder.resolve(FILES));
        for (String name : image.files()) {
            Path file = files.resolve(name); // perhaps in a directory
            Files.createDirectories(file.resolveSibling("."));
            Files.write(file, image.bytes(name));
        }
        image.state().write(folder.resolve(STATE));
        try (Writer out = Files.newBufferedWriter(folder.resolve(FACTS))) {
            facts.store(out, null);
        }
        return new SavedImage(folder);
    }

    public Properties facts() throws IOException {
        Properties facts = new Properties();
        try (Reader in = Files.newBufferedReader(folder.resolve(FACTS))) {
            facts.load(in);
        }
        return facts;
    }

    /// As it was saved.
    public SimStorage image() throws IOException {
        return SimStorage.of(DiskState.read(folder.resolve(STATE)));
    }
}
