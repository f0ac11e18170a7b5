package kvant.lab.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The source of an experiment: shipped ones by letter or name, the user's files by path.
///
/// @param label name for errors
/// @param folder working folder of commands for other servers
public record Shipped(String label, String text, Path folder) {

    /// By letter, from A on.
    private static final List<String> NAMES = ExperimentReader.words("""
            sync-or-async lsm-async small-machine before-and-after pool-and-queue executors durability mixed pool-order
            fixed-rate peers collectors tails ranges
            """);

    private static final int LONGEST = 1 << 20;

    public static List<String> names() {
        return NAMES;
    }

    /// @param wanted a letter, a name, or a path
    /// @throws UserException when nothing has that name
    public static Shipped find(String wanted) {
        int letter = wanted.length() == 1 ? Character.toUpperCase(wanted.charAt(0)) - 'A' : -1;
        String name = letter >= 0 && letter < NAMES.size() ? NAMES.get(letter) : wanted;
        if (NAMES.contains(name)) {
            return shipped(name);
        }
        Path file = Path.of(wanted);
        if (!Files.exists(file)) {
            throw new UserException("there is no experiment '" + wanted + "', and no such file; experiments are "
                    + String.join(", ", NAMES));
        }
        return file(file);
    }

    /// @throws UserException when it cannot be read
    public static Shipped file(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw new UserException(file + ": longer than 1 MiB");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            @Nullable Path folder = file.toAbsolutePath().getParent();
            return new Shipped(file.toString(), text, folder == null ? Path.of("/") : folder);
        } catch (CharacterCodingException e) {
            throw new UserException(file + ": it is not text in UTF-8", e);
        } catch (IOException e) {
            String why = Files.exists(file) ? String.valueOf(e.getMessage()) : "there is no such file";
            throw new UserException("cannot read " + file + ": " + why, e);
        }
    }

    private static Shipped shipped(String name) {
        String label = "experiments/" + name + ".yaml";
        try (@Nullable InputStream in = Shipped.class.getResourceAsStream("shipped/" + name + ".yaml")) {
            if (in == null) {
                throw new UserException(label + " is missing in this build");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new Shipped(label, text, Path.of("").toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Experiment read(Scale scale) {
        return ExperimentReader.read(label, text, folder, scale);
    }
}
