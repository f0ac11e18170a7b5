package kvant.text.child;

import java.nio.file.Path;
import java.util.List;

/// The JVM of a child that lives for seconds.
public final class QuickJvm {

    private QuickJvm() {}

    /// The program `java` and options that may be followed by others: what the libraries of a node ask for, warnings
    /// alone, on stderr, and C1 alone.
    public static List<String> words() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djdk.reflect.useNativeAccessorOnly=true",
                "-XX:+DisplayVMOutputToStderr",
                "-Xlog:disable",
                "-Xlog:all=warning,aot=off,cds=off:stderr",
                "-XX:TieredStopAtLevel=1");
    }
}
