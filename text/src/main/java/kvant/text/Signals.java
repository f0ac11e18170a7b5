package kvant.text;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/// Hears signals through `sun.misc.Signal`, the only way that the JDK has.
///
/// By reflection, because javac warns of every mention of that class and offers no way to accept the warning.
public final class Signals {

    private Signals() {}

    /// Calls the handler with the name (`SIGTERM`) each time one of these signals arrives, on a thread of its own.
    ///
    /// @param names without `SIG`, such as `TERM`
    public static void onEach(List<String> names, Consumer<String> handler) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Method handle = signalType.getMethod("handle", signalType, handlerType);
            for (String name : names) {
                Object listener = listener(handlerType, () -> handler.accept("SIG" + name));
                handle.invoke(null, signalType.getConstructor(String.class).newInstance(name), listener);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Java runtime lacks the module jdk.unsupported", e);
        }
    }

    private static Object listener(Class<?> handlerType, Runnable action) {
        return Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {handlerType}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "handle" -> action.run();
                        case "equals" -> {
                            return self == arguments[0];
                        }
                        case "hashCode" -> {
                            return System.identityHashCode(self);
                        }
                        default -> {
                            return handlerType.getName();
                        }
                    }
                    return null;
                });
    }
}
