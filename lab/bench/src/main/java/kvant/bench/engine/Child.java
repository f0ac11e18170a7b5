package kvant.bench.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A separate JVM for one stage, because heap and memory are measured per process.
final class Child {

    private Child() {}

    /// Runs a stage to its end.
    ///
    /// @param heap value of `-Xmx`
    /// @return the figures that it printed
    /// @throws IOException when the stage failed
    static Map<String, Double> run(String heap, String stage, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Stages.class.getName(),
                stage));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<String, Double> figures = new HashMap<>();
        for (String line : new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList()) {
            String[] parts = line.split("=", 2);
            if (parts.length == 2) {
                figures.put(parts[0], Double.valueOf(parts[1]));
            }
        }
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException("the stage " + stage + " ended with code " + code + "; its message is above");
            }
        } catch (InterruptedException e) {
            process.destroy();
            throw new IOException("interrupted", e);
        }
        return figures;
    }

    /// A measured figure of a stage.
    static double figure(Map<String, Double> figures, String name) {
        return Objects.requireNonNull(figures.get(name), name);
    }
}
