package kvant.lsm.sim;

import java.lang.reflect.RecordComponent;
import java.util.Properties;
import java.util.stream.Stream;

/// Records among the facts that are saved with an image, a property for each component, of its name.
public final class SavedFacts {

    private SavedFacts() {}

    /// @throws IllegalArgumentException where another record has a component of the same name
    public static void put(Properties facts, Record what) {
        for (RecordComponent component : what.getClass().getRecordComponents()) {
            if (facts.putIfAbsent(component.getName(), String.valueOf(value(component, what))) != null) {
                throw new IllegalArgumentException("two facts have the name " + component.getName());
            }
        }
    }

    public static <R extends Record> R read(Properties facts, Class<R> type) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            Class<?>[] types =
                    Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Object[] values = Stream.of(components)
                    .map(one -> parsed(one.getType(), facts.getProperty(one.getName())))
                    .toArray();
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Object value(RecordComponent component, Record what) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(what);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Object parsed(Class<?> type, String text) {
        if (type == int.class) {
            return Integer.parseInt(text);
        }
        if (type == long.class) {
            return Long.parseLong(text);
        }
        if (type == boolean.class) {
            return Boolean.parseBoolean(text);
        }
        return text;
    }
}
