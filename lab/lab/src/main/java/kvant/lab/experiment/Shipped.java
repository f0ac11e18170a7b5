package kvant.lab.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.lab.experiment.Experiment.Scale;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The source of an experiment: shipped ones by letter or name, the user's files by path.
///
/// @param label name for errors
/// @param file null for a shipped one
/// @param folder working folder of commands for other servers
public record Shipped(String label, @Nullable Path file, Path folder) {

    /// By letter, from A on.
    private static final List<String> NAMES = ExperimentReader.words("""
            sync-or-async lsm-async small-machine before-and-after pool-and-queue executors durability mixed pool-order
            fixed-rate peers collectors tails ranges
            """);

    public static List<String> names() {
        return NAMES;
    }

    /// @param wanted a letter, a name, or a path
    /// @throws UserException when nothing has that name
    public static Shipped find(String wanted) {
        int letter = wanted.length() == 1 ? Character.toUpperCase(wanted.charAt(0)) - 'A' : -1;
        String name = letter >= 0 && letter < NAMES.size() ? NAMES.get(letter) : wanted;
        if (NAMES.contains(name)) {
            return new Shipped(
                    "experiments/" + name + ".yaml", null, Path.of("").toAbsolutePath());
        }
        Path file = Path.of(wanted);
        if (!Files.exists(file)) {
            throw new UserException(
                    "unknown experiment '" + wanted + "', and no such file; there are " + String.join(", ", NAMES));
        }
        return file(file);
    }

    /// A file of the user.
    public static Shipped file(Path file) {
        @Nullable Path folder = file.toAbsolutePath().getParent();
        return new Shipped(file.toString(), file, folder == null ? Path.of("/") : folder);
    }

    /// @throws UserException when it cannot be read
    public Experiment read(Scale scale) {
        try (@Nullable InputStream in = file == null ? resource() : Files.newInputStream(file)) {
            if (in == null) {
                throw new UserException(label + " is missing in this build");
            }
            return ExperimentReader.read(label, in, folder, scale);
        } catch (IOException e) {
            throw new UserException("cannot read " + label + ": " + FileTrouble.reading(e), e);
        }
    }

    private @Nullable InputStream resource() {
        return Shipped.class.getResourceAsStream(label.replace("experiments/", "shipped/"));
    }
}
