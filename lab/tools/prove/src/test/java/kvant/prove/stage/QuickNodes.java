package kvant.prove.stage;

import java.util.ArrayList;
import java.util.List;
import kvant.text.child.ArchivedClasses;
import kvant.text.child.QuickJvm;

/// Nodes of these tests live for seconds: they are compiled by C1 alone, and have an archive of their classes.
public final class QuickNodes {

    private QuickNodes() {}

    /// From now on, nodes that this JVM starts start like this.
    public static void use() {
        List<String> java = new ArrayList<>(QuickJvm.words());
        java.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC"));
        List<String> serving = List.of("kvant.cli.Main", "serve", "--port", "0", "--warm-up", "1", "--data", "data");
        ArchivedClasses classes = ArchivedClasses.of("node", java, serving, "listening on ");
        java.removeFirst(); // the program
        java.addAll(classes.archiveOption());
        System.setProperty("kvant.node.options", String.join(" ", java));
        System.setProperty("kvant.node.classpath", classes.classPath());
    }
}
