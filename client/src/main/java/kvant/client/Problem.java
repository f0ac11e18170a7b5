package kvant.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.Serializable;

/// A node's description of a refusal (RFC 9457); of an answer in another form, its status alone.
///
/// @param status of HTTP
/// @param type stable and meant for programs, such as `urn:kvant:problem:overloaded`; empty where the answer is not a
///     node's
/// @param title for a person
/// @param detail for a person
public record Problem(int status, String type, String title, String detail) implements Serializable {

    private static final String PREFIX = "urn:kvant:problem:";

    /// Whether the answer has this type.
    ///
    /// @param name without the common prefix of all types
    public boolean is(String name) {
        return type.equals(PREFIX + name);
    }

    /// @param body of an answer; anything, because a proxy may have written it
    static Problem of(int status, byte[] body) {
        String type = "";
        String title = "";
        String detail = "";
        try (JsonParser json = RangeLines.JSON.createParser(body)) {
            if (json.nextToken() == JsonToken.START_OBJECT) {
                for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                    json.nextToken();
                    switch (name) {
                        case "type" -> type = json.getValueAsString("");
                        case "title" -> title = json.getValueAsString("");
                        case "detail" -> detail = json.getValueAsString("");
                        default -> json.skipChildren();
                    }
                }
            }
        } catch (IOException e) {
            type = ""; // not a problem document: the status says what is known
        }
        boolean isOurs = type.startsWith(PREFIX);
        return new Problem(status, isOurs ? type : "", isOurs ? title : "", isOurs ? detail : "");
    }

    @Override
    public String toString() {
        return ClientTransport.oneLine(type.isEmpty() ? String.valueOf(status) : status + " " + title + ": " + detail);
    }
}
