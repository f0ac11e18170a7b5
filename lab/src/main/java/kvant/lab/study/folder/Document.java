package kvant.lab.study.folder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvant.lab.LabException;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// A part of a JSON text, or nothing. Whoever asks nothing for a member gets nothing again, so that a
/// reader says what it looks for and not what might be missing on the way.
///
/// JSON is YAML 1.2, so that one reader does for both.
public record Document(@Nullable Object value) {

    /// A result of a day has a tenth of that.
    private static final int LONGEST = 64 << 20;

    private static final Document NOTHING = new Document(null);

    /// @throws LabException in one line that names the file
    public static Document read(Path file) {
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setCodePointLimit(LONGEST)
                    .setLabel(file.toString())
                    .build();
            if (new Load(settings).loadFromString(text(file)) instanceof Map<?, ?> root) {
                return new Document(root);
            }
            throw new LabException(file + " holds no JSON object");
        } catch (IOException e) {
            String why = Files.exists(file) ? String.valueOf(e.getMessage()) : "there is no such file";
            throw new LabException("cannot read " + file + ": " + why, e);
        } catch (StackOverflowError e) { // the parser calls itself for each level
            throw new LabException(file + " is not a result: it is nested too deeply", e);
        } catch (YamlEngineException e) {
            String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new LabException(file + " is not JSON: " + first, e);
        }
    }

    /// At most so much as a result can have, whatever the file is.
    private static String text(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(LONGEST + 1);
        }
        if (bytes.length > LONGEST) {
            throw new LabException(file + " is longer than a result can be");
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

    public Document at(String name) {
        return value instanceof Map<?, ?> map && map.get(name) instanceof Object found ? new Document(found) : NOTHING;
    }

    public boolean isMissing() {
        return value == null;
    }

    /// The members of a list; none where this is no list.
    public List<Document> list() {
        List<Document> list = new ArrayList<>();
        if (value instanceof List<?> found) {
            found.forEach(one -> list.add(new Document(one)));
        }
        return list;
    }

    /// The members of an object, in their order; none where this is no object.
    public Map<String, Document> members() {
        Map<String, Document> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> found) {
            found.forEach((name, one) -> members.put(String.valueOf(name), new Document(one)));
        }
        return members;
    }

    /// As text; empty where this is nothing, an object or a list.
    public String text() {
        return value == null || value instanceof Map || value instanceof List ? "" : String.valueOf(value);
    }

    /// As a number; NaN where it is none.
    public double number() {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /// As a whole number; 0 where it is none.
    public long whole() {
        return value instanceof Number number ? number.longValue() : 0;
    }

    public boolean flag() {
        return Boolean.TRUE.equals(value);
    }

    /// The texts of a list.
    public List<String> texts() {
        return list().stream().map(Document::text).toList();
    }

    /// The numbers of a list.
    public double[] numbers() {
        return list().stream().mapToDouble(Document::number).toArray();
    }
}
