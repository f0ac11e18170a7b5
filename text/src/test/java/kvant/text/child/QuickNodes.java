package kvant.text.child;

import java.util.ArrayList;
import java.util.List;

/// Options with which tests start nodes: compiled by C1 alone, because they live for seconds, and with an archive of
/// their classes.
public final class QuickNodes {

    /// Made by the first caller.
    private static final class Holder {
        static final ArchivedClasses CLASSES = ArchivedClasses.of("node", java("-Xmx256m"), SERVING, "listening on ");
    }

    /// It warms up, which loads what requests need.
    private static final List<String> SERVING =
            List.of("kvant.cli.Main", "serve", "--port", "0", "--warm-up", "1", "--data", "data");

    private QuickNodes() {}

    /// The JVM and its options.
    ///
    /// @param more of them
    public static List<String> java(String... more) {
        List<String> words = new ArrayList<>(QuickJvm.words());
        words.addAll(List.of(more));
        return words;
    }

    /// The arguments after the options of the JVM: the class path, and a program.
    public static List<String> running(String... program) {
        List<String> words = new ArrayList<>(Holder.CLASSES.options());
        words.addAll(List.of(program));
        return words;
    }

    /// From now on, nodes that this JVM starts start like this.
    ///
    /// @param more options of their JVMs
    public static void use(String... more) {
        List<String> options = java(more);
        options.removeFirst(); // the program
        options.addAll(Holder.CLASSES.archiveOption());
        System.setProperty("kvant.node.options", String.join(" ", options));
        System.setProperty("kvant.node.classpath", Holder.CLASSES.classPath());
    }
}
