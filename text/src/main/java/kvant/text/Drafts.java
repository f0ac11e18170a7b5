package kvant.text;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.function.Consumer;

/// Options in the making: a draft of a public record is a class with a public field for each component, of the same
/// name and type, which begins with the default. So each option is declared twice and not four times; a draft without
/// one of the fields fails with its first use.
public final class Drafts {

    private Drafts() {}

    /// The record that a draft stands for.
    ///
    /// @throws IllegalArgumentException as the record throws it, when a value makes no sense
    public static <R extends Record> R made(Class<R> type, Object draft) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        try {
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                values[i] = draft.getClass().getField(components[i].getName()).get(draft);
            }
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException invalid ? invalid : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(draft.getClass() + " is no draft of " + type, e);
        }
    }

    /// A record with some of its components changed.
    ///
    /// @param draft of the record; its fields are set
    public static <R extends Record, D> R changed(Class<R> type, R record, D draft, Consumer<? super D> change) {
        try {
            for (RecordComponent each : type.getRecordComponents()) {
                draft.getClass()
                        .getField(each.getName())
                        .set(draft, each.getAccessor().invoke(record));
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(draft.getClass() + " is no draft of " + type, e);
        }
        change.accept(draft);
        return made(type, draft);
    }
}
