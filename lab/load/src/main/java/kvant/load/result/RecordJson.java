package kvant.load.result;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import kvant.text.Json;
import kvant.text.JsonFile;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Records as JSON and back: each component is a member of the same name.
///
/// | component | JSON |
/// |---|---|
/// | a record | an object; null where it is null |
/// | a record of a sealed interface | an object whose `kind` is the name of the record, with a small first letter |
/// | `double` | a number with three decimals; null for NaN |
/// | an enum, also as a key | its name in small letters |
/// | `List`, `Map` | a list, an object |
/// | an [Unwrapped] record | its members, as members of the enclosing record |
///
/// This is the codec of all result files, of single runs and of the laboratory. It is our own because missing data is
/// no error here: a missing number is NaN and not 0, and a remark of an unknown kind is quoted. With Jackson's databind
/// this would take an adapter of about the same length, and twice the jars for the load generator.
///
/// Reading is lenient, because a run may be interrupted, and files outlive programs. A value that is missing or of
/// another type becomes empty, 0, false, NaN or null. Unknown members are ignored.
public final class RecordJson {

    /// A record whose members become members of the enclosing record. A nullable one is null if none of its members is
    /// present.
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    public @interface Unwrapped {}

    /// A component that is omitted when null, because its presence tells readers the kind of the result.
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    public @interface LeftOut {}

    private static final String KIND = "kind";

    private static final String DECIMAL = "\\d{1,3}(\\.\\d{1,6})?";
    private static final String WHOLE = "\\d{1,9}";

    private RecordJson() {}

    public static String write(Record record) {
        Json json = new Json().open();
        members(json, record);
        return json.close().toString();
    }

    /// An object on one line, not closed yet.
    static Json line(Record record) {
        Json json = Json.line().open();
        members(json, record);
        return json;
    }

    /// @throws UserException in one line that names the file
    public static void write(Path file, Record record) {
        try {
            Files.writeString(file, write(record), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UserException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /// @param what expected content, for errors
    /// @throws UserException in one line that names the file
    public static <T extends Record> T read(Path file, String what, Class<T> type) {
        return of(JsonFile.read(file, what, JsonFile.LONGEST), type);
    }

    /// @param json an object as read by [JsonFile]
    public static <T extends Record> T of(Map<String, @Nullable Object> json, Class<T> type) {
        return type.cast(record(json, type));
    }

    // --- writing ---------------------------------------------------------------------------------------------------

    private static void members(Json json, Record record) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = value(record, component);
            if (value != null && component.isAnnotationPresent(Unwrapped.class)) {
                members(json, (Record) value);
            } else if (value != null || !isLeftOut(component)) {
                put(json, component.getName(), value);
            }
        }
    }

    private static boolean isLeftOut(RecordComponent component) {
        return component.isAnnotationPresent(LeftOut.class) || component.isAnnotationPresent(Unwrapped.class);
    }

    /// The value of a component.
    public static @Nullable Object value(Record record, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " cannot be read", e);
        }
    }

    /// Adds a member to an object: a record, or any supported component type.
    public static void put(Json json, String name, @Nullable Object value) {
        switch (value) {
            case null -> json.putNull(name);
            case String text -> json.put(name, text);
            case Double number -> json.put(name, number);
            case Number number -> json.put(name, number.longValue());
            case Boolean flag -> json.put(name, flag);
            case Enum<?> constant -> json.put(name, key(constant));
            case Record record -> {
                json.open(name);
                object(json, record);
            }
            case List<?> list -> {
                json.openList(name);
                list.forEach(one -> add(json, one));
                json.closeList();
            }
            case Map<?, ?> map -> {
                json.open(name);
                map.forEach((key, one) -> put(json, key(key), one));
                json.close();
            }
            default -> throw new IllegalArgumentException(value.getClass() + " has no JSON");
        }
    }

    private static void object(Json json, Record record) {
        if (isKind(record.getClass())) {
            json.put(KIND, kind(record.getClass()));
        }
        members(json, record);
        json.close();
    }

    private static void add(Json json, Object value) {
        switch (value) {
            case String text -> json.add(text);
            case Record record -> object(json.open(), record);
            case List<?> row ->
                json.add(row.stream()
                        .mapToDouble(one -> ((Number) one).doubleValue())
                        .toArray());
            default -> throw new IllegalArgumentException(value.getClass() + " has no JSON in a list");
        }
    }

    /// A whole number has no decimal point: percentiles are keys.
    private static String key(Object key) {
        return switch (key) {
            case Double number ->
                BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
            case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT);
            default -> key.toString();
        };
    }

    private static boolean isKind(Class<?> type) {
        return Arrays.stream(type.getInterfaces()).anyMatch(Class::isSealed);
    }

    /// The name of a kind in JSON, such as `shortWarmup`.
    public static String kind(Class<?> type) {
        String name = type.getSimpleName();
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    // --- reading ---------------------------------------------------------------------------------------------------

    private static Record record(Map<?, ?> json, Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        @Nullable Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            boolean mayBeNull = components[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
            @Nullable Object found = json.get(components[i].getName());
            if (components[i].isAnnotationPresent(Unwrapped.class)) {
                boolean absent = mayBeNull && Collections.disjoint(json.keySet(), names(types[i]));
                values[i] = absent ? null : record(json, types[i]);
                continue;
            }
            boolean nothing = found == null || found.equals(""); // an empty text means the same
            values[i] = nothing && mayBeNull ? null : read(found, components[i].getGenericType());
        }
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return (Record) constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " cannot be made", e);
        }
    }

    private static List<String> names(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    private static Object read(@Nullable Object json, Type type) {
        if (type instanceof ParameterizedType container) {
            return container(json, container);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == String.class) {
            return json == null || json instanceof Map || json instanceof List ? "" : json.toString();
        }
        if (plain == boolean.class) {
            return Boolean.TRUE.equals(json);
        }
        if (plain == double.class || plain == Double.class) {
            return json instanceof Number number ? number.doubleValue() : Double.NaN;
        }
        if (plain == long.class || plain == Long.class) {
            return json instanceof Number number ? number.longValue() : 0L;
        }
        if (plain == int.class) {
            return json instanceof Number number ? number.intValue() : 0;
        }
        if (plain.isEnum()) {
            return constant(json, plain);
        }
        Map<?, ?> members = json instanceof Map<?, ?> found ? found : Map.of();
        return plain.isSealed() ? oneOf(json, members, plain) : record(members, plain);
    }

    /// Unknown names become the first constant.
    private static Object constant(@Nullable Object json, Class<?> type) {
        Object[] constants = Objects.requireNonNull(type.getEnumConstants());
        return Arrays.stream(constants)
                .filter(one -> key(one).equals(json))
                .findFirst()
                .orElse(constants[0]);
    }

    /// The record of the kind. A text, or an unknown kind, becomes the first permitted record.
    private static Record oneOf(@Nullable Object json, Map<?, ?> members, Class<?> type) {
        Class<?>[] permitted = Objects.requireNonNull(type.getPermittedSubclasses());
        Optional<Class<?>> known = Arrays.stream(permitted)
                .filter(one -> kind(one).equals(members.get(KIND)))
                .findFirst();
        if (known.isPresent()) {
            return record(members, known.get());
        }
        String component = permitted[0].getRecordComponents()[0].getName();
        Object text = json instanceof String given ? given : String.valueOf(members.get(KIND));
        return record(Map.of(component, text), permitted[0]);
    }

    private static Object container(@Nullable Object json, ParameterizedType type) {
        Type[] of = type.getActualTypeArguments();
        if (type.getRawType() == List.class) {
            List<Object> list = new ArrayList<>();
            if (json instanceof List<?> found) {
                found.forEach(one -> list.add(read(one, of[0])));
            }
            return list;
        }
        Map<Object, Object> map = new LinkedHashMap<>();
        if (json instanceof Map<?, ?> found) {
            found.forEach((name, one) -> {
                Object key = key(name.toString(), (Class<?>) of[0]);
                if (key != null) {
                    map.put(key, read(one, of[1]));
                }
            });
        }
        return map;
    }

    /// Null if the name is no key of this type.
    private static @Nullable Object key(String name, Class<?> type) {
        if (type == Double.class) {
            return name.matches(DECIMAL) ? Double.valueOf(name) : null;
        }
        if (type == Integer.class) {
            return name.matches(WHOLE) ? Integer.valueOf(name) : null;
        }
        Object[] constants = type.getEnumConstants();
        return constants == null
                ? name
                : Arrays.stream(constants)
                        .filter(one -> key(one).equals(name))
                        .findFirst()
                        .orElse(null);
    }
}
