package kvant.lab.experiment;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import kvant.lab.experiment.Experiment.Scale;

/// Experiments of tests, from the text of a file.
public final class Experiments {

    private Experiments() {}

    public static Experiment read(String label, String text, Path folder, Scale scale) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return ExperimentReader.read(label, new ByteArrayInputStream(bytes), folder, scale);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
