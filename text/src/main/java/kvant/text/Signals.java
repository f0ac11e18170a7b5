package kvant.text;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Handlers of signals through `sun.misc.Signal`, the only way that the JDK has.
///
/// By reflection, because javac warns of every mention of that class and offers no way to accept the warning.
public final class Signals {

    /// A signal that follows another one so soon is an echo of the same request.
    private static final long ECHO_NANOS = TimeUnit.SECONDS.toNanos(1);

    private Signals() {}

    /// Calls the handler with the name (`SIGTERM`) each time one of these signals arrives, on a thread of its own.
    ///
    /// A signal within a second of the one before is ignored: `timeout` of GNU sends its signal to its child and
    /// then to that child's process group, and only one of the two is meant.
    ///
    /// @param names without `SIG`, such as `TERM`
    public static void onEach(List<String> names, Consumer<String> handler) {
        hear(names, withoutEchoes(handler, System::nanoTime));
    }

    /// The handler, which is not called within a second of its last call.
    static Consumer<String> withoutEchoes(Consumer<String> handler, LongSupplier nanoTime) {
        AtomicLong heardNanos = new AtomicLong(nanoTime.getAsLong() - ECHO_NANOS);
        return name -> {
            long now = nanoTime.getAsLong();
            long before = heardNanos.get();
            if (now - before >= ECHO_NANOS && heardNanos.compareAndSet(before, now)) {
                handler.accept(name);
            }
        };
    }

    private static void hear(List<String> names, Consumer<String> handler) {
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
