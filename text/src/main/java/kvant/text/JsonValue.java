package kvant.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A part of a JSON text, or nothing. A member of nothing is nothing again, so that a reader needs no checks for
/// missing members on the way.
public record JsonValue(@Nullable Object value) {

    private static final JsonValue NOTHING = new JsonValue(null);

    /// @param what expected content for errors, such as "a result"
    /// @throws UserException in one line that names the file
    public static JsonValue read(Path file, String what) {
        return new JsonValue(JsonFile.read(file, what, JsonFile.LONGEST));
    }

    public JsonValue at(String name) {
        return value instanceof Map<?, ?> map && map.get(name) instanceof Object found ? new JsonValue(found) : NOTHING;
    }

    public boolean isMissing() {
        return value == null;
    }

    /// The members of a list; none where this is no list.
    public List<JsonValue> list() {
        List<JsonValue> list = new ArrayList<>();
        if (value instanceof List<?> found) {
            found.forEach(one -> list.add(new JsonValue(one)));
        }
        return list;
    }

    /// The members of an object, in their order; none where this is no object.
    public Map<String, JsonValue> members() {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> found) {
            found.forEach((name, one) -> members.put(String.valueOf(name), new JsonValue(one)));
        }
        return members;
    }

    /// The value as text; empty where this is nothing, an object or a list.
    public String text() {
        return value == null || value instanceof Map || value instanceof List ? "" : String.valueOf(value);
    }

    /// The value as a number; NaN where it is none.
    public double number() {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /// The value as a whole number; 0 where it is none.
    public long whole() {
        return value instanceof Number number ? number.longValue() : 0;
    }

    public boolean flag() {
        return Boolean.TRUE.equals(value);
    }

    /// The texts of a list.
    public List<String> texts() {
        return list().stream().map(JsonValue::text).toList();
    }

    /// The numbers of a list.
    public double[] numbers() {
        return list().stream().mapToDouble(JsonValue::number).toArray();
    }
}
