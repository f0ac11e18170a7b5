package kvant.engine.directory;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.engine.EngineException;

/// The file `KVANT` of a data directory: which engine wrote it, in which layout.
///
/// Format document: docs/formats/README.md
final class Identity {

    static final String NAME = "KVANT";

    private static final int LAYOUT = 1;
    private static final Pattern LINES =
            Pattern.compile("kvant data directory\nlayout=(\\d{1,9})\n(?:engine=([\\w-]+)\n)?(?s:.*)");

    private Identity() {}

    /// Returns the engine that wrote a directory.
    ///
    /// @param expected an engine whose name is accepted besides the known ones
    /// @throws NoSuchFileException where there is no such file
    /// @throws EngineException.CannotOpen when a newer version wrote it, or so it seems
    /// @throws EngineException.Corruption when Kvant did not write it in this form
    static String engineOf(Path directory, String expected) throws IOException {
        Path file = directory.resolve(NAME);
        String text;
        try {
            text = OwnFiles.read(file);
        } catch (CharacterCodingException _) {
            throw damaged(file);
        }
        Matcher lines = LINES.matcher(text);
        if (!lines.matches()) {
            throw damaged(file);
        }
        if (Integer.parseInt(lines.group(1)) != LAYOUT) {
            throw new EngineException.CannotOpen("data directory " + directory + " has layout " + lines.group(1)
                    + ", this version knows layout " + LAYOUT + ": use the version that wrote it");
        }
        String engine = String.valueOf(lines.group(2));
        if (!text.equals(text(engine))) {
            throw damaged(file);
        }
        if (engine.equals(DataDirectory.FOR_LOGS) && !expected.equals(DataDirectory.FOR_LOGS)) {
            throw new EngineException.CannotOpen(directory + " has the logs of a store (--lsm.log-dir), and is no data"
                    + " directory: name that of the store");
        }
        if (!engine.equals(expected) && !engine.matches("lsm|rocksdb")) {
            throw new EngineException.CannotOpen(file + " names an engine '" + engine + "', which this version does"
                    + " not know: the file is damaged, or a newer version wrote it");
        }
        return engine;
    }

    /// Durable when this returns.
    static void write(Path directory, String engine) throws IOException {
        OwnFiles.replace(directory.resolve(NAME), text(engine));
    }

    private static String text(String engine) {
        return "kvant data directory\nlayout=" + LAYOUT + "\nengine=" + engine + "\n";
    }

    private static EngineException.Corruption damaged(Path file) {
        return new EngineException.Corruption(
                file.toString(), 0, "it is not what Kvant writes, three lines that name layout and engine");
    }
}
