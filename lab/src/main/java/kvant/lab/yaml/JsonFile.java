package kvant.lab.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import kvant.lab.LabException;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Reads files of JSON that the laboratory wrote, or that somebody says it did. JSON is YAML 1.2, so that one
/// parser does for both.
public final class JsonFile {

    /// A result of a day has a tenth of that; its nodes take many times as much memory as its text.
    public static final int LONGEST = 64 << 20;

    private JsonFile() {}

    /// @param what it should be, such as "a result", for errors
    /// @param longest most bytes that it can have
    /// @throws LabException in one line that names the file
    public static Map<?, ?> read(Path file, String what, int longest) {
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setCodePointLimit(longest)
                    .setLabel(file.toString())
                    .build();
            if (new Load(settings).loadFromString(text(file, what, longest)) instanceof Map<?, ?> root) {
                return root;
            }
            throw new LabException(file + " is not " + what + ": it holds no JSON object");
        } catch (IOException e) {
            String why = Files.exists(file) ? String.valueOf(e.getMessage()) : "there is no such file";
            throw new LabException("cannot read " + file + ": " + why, e);
        } catch (StackOverflowError e) { // the parser calls itself for each level
            throw new LabException(file + " is not " + what + ": it is nested too deeply", e);
        } catch (YamlEngineException e) {
            String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new LabException(file + " is not JSON: " + first, e);
        }
    }

    /// At most so much as it can have, whatever the file is.
    private static String text(Path file, String what, int longest) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(longest + 1);
        }
        if (bytes.length > longest) {
            throw new LabException(file + " is longer than " + what + " can be");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new LabException(file + " is not JSON: it is not text in UTF-8", e);
        }
    }
}
