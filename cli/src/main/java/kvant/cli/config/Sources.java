package kvant.cli.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The environment over a file: what is set without the command line.
final class Sources {

    private Sources() {}

    /// @param named by an option, or null
    /// @throws UserException naming the variable, or file and line
    static Map<String, Given> read(Settings settings, Map<String, String> environment, @Nullable String named) {
        Map<String, Given> given = new LinkedHashMap<>();
        @Nullable String file = named == null ? EnvironmentVariables.file(environment) : named;
        if (file != null) {
            given.putAll(ConfigFile.read(path(file), settings));
        }
        given.putAll(EnvironmentVariables.read(environment, settings));
        return given;
    }

    static Path path(String file) {
        if (file.isBlank()) {
            throw new UserException("'--config' names no file"); // no default: somebody's variable is not set
        }
        try {
            return Path.of(file);
        } catch (InvalidPathException wrong) {
            throw new UserException(
                    "cannot read " + file + ": " + wrong.getReason() + FileTrouble.localeRemedy(), wrong);
        }
    }

    static List<String> words(Collection<Given> given) {
        List<String> words = new ArrayList<>();
        given.forEach(one -> words.addAll(one.words()));
        return words;
    }

    /// Which of these values a refusal is about: those without which it would not be made. A check of several values
    /// together thus need not know where any of them comes from.
    ///
    /// @param others the rest of the command line
    /// @param obstacle why a node does not take a command line, or empty
    /// @return a phrase to append to the refusal; empty where none of them is the reason
    static String reasons(
            String refusal, Collection<Given> given, List<String> others, Function<List<String>, String> obstacle) {
        List<String> reasons = new ArrayList<>();
        if (!obstacle.apply(line(given, others)).equals(refusal)) {
            return ""; // another command's
        }
        for (Given one : given) {
            List<Given> rest = given.stream().filter(other -> other != one).toList();
            if (!obstacle.apply(line(rest, others)).equals(refusal)) {
                reasons.add(one.setting().key() + " by " + one.origin());
            }
        }
        return reasons.isEmpty() ? "" : " (" + String.join(", ", reasons) + ")";
    }

    private static List<String> line(Collection<Given> given, List<String> others) {
        List<String> line = words(given);
        line.addAll(others);
        return line;
    }
}
