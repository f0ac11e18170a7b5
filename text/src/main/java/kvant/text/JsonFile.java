package kvant.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
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
import org.jspecify.annotations.Nullable;

/// A reader of JSON (RFC 8259) from a file that may be wrong or hostile. Length and depth are bounded, and a name
/// that occurs twice in an object is an error. Every error is one line that names the file.
///
/// An object becomes a `Map`, a list a `List`, a whole number an `Integer`, `Long` or `BigInteger`, another number a
/// `Double`, the rest `String`, `Boolean` and null.
public final class JsonFile {

    /// A result of a day has a tenth of that; its nodes take many times as much memory as its text.
    public static final int LONGEST = 64 << 20;

    private static final int DEEPEST = 200;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength(LONGEST)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private JsonFile() {}

    /// @param what expected content for errors, such as "a result"
    /// @param longest most bytes that it can have
    /// @throws UserException in one line that names the file
    public static Map<String, @Nullable Object> read(Path file, String what, int longest) {
        try {
            return object(text(file, what, longest), file.toString(), what);
        } catch (IOException e) {
            throw new UserException("cannot read " + file + ": " + FileTrouble.reading(e), e);
        }
    }

    /// @param label name of the text in errors
    /// @throws UserException in one line that begins with the label
    public static Map<String, @Nullable Object> object(String json, String label, String what) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new UserException(label + " is not " + what + ": it holds no JSON object");
            }
            Map<String, @Nullable Object> root = object(parser);
            if (parser.nextToken() != null) {
                throw new JsonParseException(parser, "something follows the object");
            }
            return root;
        } catch (StreamConstraintsException e) {
            String bound = String.valueOf(e.getOriginalMessage());
            String why = bound.contains("nesting depth") ? "it is nested too deeply" : bound;
            throw new UserException(label + " is not " + what + ": " + why, e);
        } catch (JsonEOFException e) {
            throw new UserException(label + " is not JSON: it ends in the middle" + place(e), e);
        } catch (JsonProcessingException e) {
            throw new UserException(label + " is not JSON: " + e.getOriginalMessage() + place(e), e);
        } catch (IOException e) {
            throw new UserException(label + " is not JSON: " + e.getMessage(), e);
        }
    }

    private static String place(JsonProcessingException e) {
        return e.getLocation() == null ? "" : " (line " + e.getLocation().getLineNr() + ")";
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            members.put(name, value(parser, parser.nextToken()));
        }
        return members;
    }

    private static List<@Nullable Object> list(JsonParser parser) throws IOException {
        List<@Nullable Object> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(parser, token));
        }
        return items;
    }

    private static @Nullable Object value(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> list(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new JsonParseException(parser, "unexpected " + token);
        };
    }

    /// Reads at most the allowed length, even from an endless file.
    private static String text(Path file, String what, int longest) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(longest + 1);
        }
        if (bytes.length > longest) {
            throw new UserException(file + " is longer than " + what + " can be");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UserException(file + " is not JSON: it is not text in UTF-8", e);
        }
    }
}
