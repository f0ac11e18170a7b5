package kvant.lab.profile;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.text.UserException;
import one.convert.Arguments;
import one.convert.FlameGraph;

/// Flame graphs of collapsed stacks, each a self-contained HTML file.
final class FlameGraphs {

    /// Minimum width of a frame in percent; frames below half a pixel only enlarge the file.
    private static final double NARROWEST = 0.05;

    private FlameGraphs() {}

    static void write(Path collapsed, String title, Path html) throws IOException {
        Arguments arguments = arguments(title);
        write(graph(collapsed, arguments), html);
    }

    /// Draws B's stacks, coloured by their change in weight from A. The smaller profile is scaled to the weight of the
    /// larger, because two runs never last equally long.
    static void difference(
            Path a, long totalA, String nameA, Path b, long totalB, String nameB, ProfileEvent event, Path html)
            throws IOException {
        long common = Math.max(totalA, totalB);
        if (totalA == 0 || totalB == 0) {
            throw new UserException(
                    "cannot compare " + a + " with " + b + ": " + (totalA == 0 ? a : b) + " holds no samples");
        }
        Arguments arguments =
                arguments(event.label() + ": from " + nameA + " to " + nameB + " (red: more, blue: less)");
        FlameGraph before = scaled(a, common / (double) totalA, arguments, html);
        FlameGraph after = scaled(b, common / (double) totalB, arguments, html);
        after.diff(before);
        write(after, html);
    }

    private static FlameGraph scaled(Path collapsed, double factor, Arguments arguments, Path html) throws IOException {
        Path scaled = Path.of(html + ".scaled");
        try {
            try (BufferedReader lines = Files.newBufferedReader(collapsed);
                    BufferedWriter out = Files.newBufferedWriter(scaled)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    CollapsedStack stack = CollapsedStack.parse(line);
                    if (stack != null) {
                        out.write(stack.line(factor));
                        out.write('\n');
                    }
                }
            }
            return graph(scaled, arguments);
        } finally {
            Files.deleteIfExists(scaled);
        }
    }

    private static FlameGraph graph(Path collapsed, Arguments arguments) throws IOException {
        FlameGraph graph = new FlameGraph(arguments);
        try (Reader in = Files.newBufferedReader(collapsed)) {
            graph.parseCollapsed(in);
        }
        return graph;
    }

    private static void write(FlameGraph graph, Path html) throws IOException {
        try (OutputStream out = Files.newOutputStream(html)) {
            graph.dump(out);
        }
    }

    private static Arguments arguments(String title) {
        Arguments arguments = new Arguments();
        arguments.minwidth = NARROWEST;
        arguments.title = title.replace("&", "&amp;").replace("<", "&lt;");
        return arguments;
    }
}
