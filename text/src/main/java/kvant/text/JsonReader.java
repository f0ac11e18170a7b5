package kvant.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads one JSON object (RFC 8259) from left to right and keeps nothing of it: for lines that come by the million,
/// which [JsonFile] would make a tree of.
///
///     while ((name = reader.nextName()) != null) { switch (name) { case "key" -> key = reader.base64(); ... } }
///
/// A member that is not asked for is passed over. Whatever is no such object is an [IOException]. Belongs to one
/// thread.
public final class JsonReader implements AutoCloseable {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE) // whoever holds the bytes has bounded them
                    .build())
            .build();

    private final JsonParser parser;

    private JsonReader(JsonParser parser) throws IOException {
        this.parser = parser;
        expect(parser.nextToken(), JsonToken.START_OBJECT);
    }

    /// @param length how many of the bytes are the object, in UTF-8
    public static JsonReader of(byte[] json, int length) throws IOException {
        return new JsonReader(FACTORY.createParser(json, 0, length));
    }

    /// @return the name of the next member, or null at the end of the object, which is also the end of the text
    public @Nullable String nextName() throws IOException {
        JsonToken token = parser.nextToken();
        while (token != null && token != JsonToken.FIELD_NAME && token != JsonToken.END_OBJECT) {
            parser.skipChildren();
            token = parser.nextToken();
        }
        if (token == JsonToken.FIELD_NAME) {
            return parser.currentName();
        }
        expect(token, JsonToken.END_OBJECT);
        expect(parser.nextToken(), null);
        return null;
    }

    public String string() throws IOException {
        expect(parser.nextToken(), JsonToken.VALUE_STRING);
        return parser.getText();
    }

    /// Of a string that holds them.
    public byte[] base64() throws IOException {
        expect(parser.nextToken(), JsonToken.VALUE_STRING);
        return parser.getBinaryValue();
    }

    public long number() throws IOException {
        expect(parser.nextToken(), JsonToken.VALUE_NUMBER_INT);
        return parser.getLongValue();
    }

    public boolean bool() throws IOException {
        JsonToken token = parser.nextToken();
        expect(token, token == JsonToken.VALUE_TRUE ? JsonToken.VALUE_TRUE : JsonToken.VALUE_FALSE);
        return token == JsonToken.VALUE_TRUE;
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }

    private void expect(@Nullable JsonToken token, @Nullable JsonToken wanted) throws IOException {
        if (token != wanted) {
            throw new JsonParseException(parser, "found " + token + " in place of " + wanted);
        }
    }
}
