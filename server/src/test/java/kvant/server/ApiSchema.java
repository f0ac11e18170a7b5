package kvant.server;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import kvant.text.JsonFile;
import org.jspecify.annotations.Nullable;

/// Schemas of the description of the API, and whether a value is as they say. It knows the keywords that these schemas
/// have, and fails at any other, so that none is passed over.
final class ApiSchema {

    private final ApiDocument document = new ApiDocument();

    /// Of each line, or each event, of a successful get.
    Map<?, ?> ofItems(String path, String mediaType) {
        return document.at("paths", path, "get", "responses", "200", "content", mediaType, "x-itemSchema");
    }

    /// The answer that the description shows.
    String example(String path, String mediaType, String name) {
        Map<?, ?> content = document.at("paths", path, "get", "responses", "200", "content", mediaType);
        return String.valueOf(ApiDocument.in(content, "examples", name).get("value"));
    }

    /// The names of the alternatives that a JSON object is; one where it is as it should be.
    List<String> kinds(Map<?, ?> schema, String json) {
        return alternatives(document.resolved(schema).get("oneOf"), object(json));
    }

    boolean holds(Object schema, @Nullable Object value) {
        Map<?, ?> rules = document.resolved(schema);
        return rules.entrySet().stream()
                .allMatch(rule -> holds(String.valueOf(rule.getKey()), rule.getValue(), rules, value));
    }

    private boolean holds(String keyword, Object rule, Map<?, ?> rules, @Nullable Object value) {
        return switch (keyword) {
            case "description", "contentMediaType" -> true;
            case "type" -> isOf(rule.toString(), value);
            case "const" -> rule.equals(value);
            case "enum" -> ((List<?>) rule).contains(value);
            case "minimum" -> value instanceof Number number && number.longValue() >= ((Number) rule).longValue();
            case "pattern" ->
                Pattern.compile(rule.toString()).matcher(String.valueOf(value)).find();
            case "required" -> value instanceof Map<?, ?> map && map.keySet().containsAll((List<?>) rule);
            case "properties" -> value instanceof Map<?, ?> map && eachHolds((Map<?, ?>) rule, map);
            case "additionalProperties" ->
                rule.equals(false)
                        && value instanceof Map<?, ?> map
                        && ((Map<?, ?>) rules.get("properties")).keySet().containsAll(map.keySet());
            case "oneOf" -> alternatives(rule, value).size() == 1;
            case "contentEncoding" -> rule.equals("base64") && isBase64(String.valueOf(value));
            case "contentSchema" -> holds(rule, object(String.valueOf(value)));
            default -> throw new AssertionError("the keyword " + keyword + " is not looked at");
        };
    }

    private boolean eachHolds(Map<?, ?> properties, Map<?, ?> values) {
        return properties.entrySet().stream()
                .filter(property -> values.containsKey(property.getKey()))
                .allMatch(property -> holds(property.getValue(), values.get(property.getKey())));
    }

    private List<String> alternatives(Object schemas, @Nullable Object value) {
        return ((List<?>) schemas)
                .stream()
                        .filter(schema -> holds(schema, value))
                        .map(schema -> String.valueOf(((Map<?, ?>) schema).get("$ref")))
                        .map(reference -> reference.substring(reference.lastIndexOf('/') + 1))
                        .toList();
    }

    private static boolean isOf(String type, @Nullable Object value) {
        return switch (type) {
            case "object" -> value instanceof Map;
            case "string" -> value instanceof String;
            case "integer" -> value instanceof Integer || value instanceof Long;
            default -> throw new AssertionError("the type " + type + " is not looked at");
        };
    }

    private static boolean isBase64(String text) {
        try {
            return Base64.getDecoder().decode(text).length >= 0;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static Map<String, @Nullable Object> object(String json) {
        return JsonFile.object(json, json, "a line");
    }
}
