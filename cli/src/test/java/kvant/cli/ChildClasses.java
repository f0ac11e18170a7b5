package kvant.cli;

import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.text.child.ArchivedClasses;
import kvant.text.child.QuickJvm;

/// The class path of child processes in tests, and an archive of the classes that a node loads.
public final class ChildClasses {

    /// Made on first use.
    private static final class Holder {
        static final ArchivedClasses CLASSES = ArchivedClasses.of("node", java(), SERVING, "listening on ");
    }

    /// It warms up, which loads what requests need.
    private static final List<String> SERVING =
            List.of(ChildNode.MAIN, "serve", "--port", "0", "--warm-up", "1", "--data", "data");

    private static final String CLASS_PATH = "java.class.path";

    private ChildClasses() {}

    private static List<String> java() {
        return Stream.concat(QuickJvm.words().stream(), Stream.of("-Xmx256m")).toList();
    }

    /// Words for the JVM of a child: its class path, and the archive where there is one.
    public static List<String> options() {
        return Holder.CLASSES.options();
    }

    /// An experiment whose nodes start as quickly, when it is run by [#lent(IntSupplier)].
    ///
    /// @param experiment in YAML, with options of the JVM in lists in brackets
    public static String quick(String experiment) {
        String words = Stream.concat(Stream.of("-XX:TieredStopAtLevel=1"), Holder.CLASSES.archiveOption().stream())
                .map(word -> "'" + word + "', ")
                .collect(Collectors.joining());
        return experiment.replace("jvm: [", "jvm: [" + words);
    }

    /// Runs a command whose nodes get the class path of this JVM, which is that of children meanwhile: the same
    /// classes, but other tests tell ours from those of tests by their folders.
    public static int lent(IntSupplier command) {
        String own = System.getProperty(CLASS_PATH);
        System.setProperty(CLASS_PATH, Holder.CLASSES.classPath());
        try {
            return command.getAsInt();
        } finally {
            System.setProperty(CLASS_PATH, own);
        }
    }
}
