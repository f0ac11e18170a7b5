package kvant.lsm.sim;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;

/// What a crash has left, as files of the disk, with what has to be known to check it again.
///
/// @param folder that holds them
public record SavedImage(Path folder) {

    private static final String FILES = "files";
    private static final String FACTS = "facts.properties";

    /// @param facts names and values
    public static SavedImage save(Path folder, SimStorage image, Properties facts) throws IOException {
        Path files = Files.createDirectories(folder.resolve(FILES));
        for (String name : image.files()) {
            Path file = files.resolve(name); // perhaps in a directory
            Files.createDirectories(file.resolveSibling("."));
            Files.write(file, image.bytes(name));
        }
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

    /// As after a power cut: all that is there is durable.
    public SimStorage image() throws IOException {
        SimStorage image = new SimStorage();
        try (Stream<Path> files = Files.walk(folder.resolve(FILES))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                image.put(folder.resolve(FILES).relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return image;
    }
}
