package kvant.cli.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import kvant.cli.config.Setting.Given;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import kvant.text.YamlMap;
import org.jspecify.annotations.Nullable;

/// Settings from the environment and a configuration file; the environment takes precedence. An empty variable counts
/// as unset.
final class Sources {

    /// Names the configuration file if no option does.
    private static final String FILE = "KVANT_CONFIG";

    /// Variables that the launcher, tests and clients read.
    private static final Set<String> OTHERS = Set.of(
            FILE,
            "KVANT_JAVA17",
            "KVANT_JAVA_HOME",
            "KVANT_JAVA_OPTS",
            "KVANT_JVM_FOLDER",
            "KVANT_TOKEN",
            "KVANT_TOOLS",
            "KVANT_URL");

    /// Variables that Kubernetes sets in a container when a service is named `kvant`.
    private static final Pattern SERVICE_LINK =
            Pattern.compile("KVANT_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_.+)?)");

    private Sources() {}

    /// @param named file named by an option, or null
    /// @throws UserException naming the variable, or the file and line
    static Map<String, Given> read(Settings settings, Map<String, String> environment, @Nullable String named) {
        Map<String, Given> given = new LinkedHashMap<>();
        @Nullable String file = named == null ? file(environment) : named;
        if (file != null) {
            given.putAll(ConfigFile.read(path(file), settings));
        }
        given.putAll(variables(environment, settings));
        return given;
    }

    static Path path(String file) {
        if (file.isBlank()) {
            throw new UserException("'--config' needs a value"); // no default: probably an unset variable
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

    /// The settings that cause a refusal: those without which the same refusal does not occur. Checks of several values
    /// together therefore need not know the sources of the values.
    ///
    /// @param others the rest of the command line
    /// @param obstacle returns the reason why a node refuses a command line, or an empty text
    /// @return a phrase to append to the refusal; empty if none of the settings is the cause
    static String reasons(
            String refusal, Collection<Given> given, List<String> others, Function<List<String>, String> obstacle) {
        List<String> reasons = new ArrayList<>();
        if (!obstacle.apply(line(given, others)).equals(refusal)) {
            return ""; // a refusal by another command
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

    /// True if the environment may contain settings or name a file, decided without the list of settings.
    static boolean areAny(Map<String, String> environment) {
        return environment.keySet().stream().anyMatch(name -> name.equals(FILE) || isOurs(name));
    }

    private static boolean isOurs(String name) {
        return name.startsWith(Setting.PREFIX) && !OTHERS.contains(name);
    }

    /// @throws UserException naming the variable
    private static Map<String, Given> variables(Map<String, String> environment, Settings settings) {
        Map<String, Given> found = new LinkedHashMap<>();
        new TreeMap<>(environment).forEach((name, value) -> {
            if (isOurs(name)) {
                @Nullable Setting setting = settings.byVariable(name);
                if (setting != null && !value.isBlank()) {
                    found.put(setting.key(), given(setting, name, value));
                } else if (setting == null && !SERVICE_LINK.matcher(name).matches()) {
                    throw new UserException("unknown variable '" + name + "'" + settings.suggestVariable(name));
                }
            }
        });
        return found;
    }

    private static Given given(Setting setting, String name, String value) {
        Given given = new Given(setting, value, name);
        try {
            given.words();
        } catch (IllegalArgumentException wrong) {
            throw new UserException(name + ": " + wrong.getMessage(), wrong);
        }
        return given;
    }

    /// @return the configuration file named by the environment, or null
    static @Nullable String file(Map<String, String> environment) {
        @Nullable String file = environment.get(FILE);
        return file == null || file.isBlank() ? null : file;
    }

    /// Settings in a YAML file. A dot in a key means nesting: `lsm: {memtable: 32MiB}` is `lsm.memtable: 32MiB`.
    ///
    /// Values are taken literally, and only for keys of settings, so that aliases and tags cannot expand the input.
    static final class ConfigFile {

        private final Settings settings;
        private final Map<String, Given> found = new LinkedHashMap<>();

        private ConfigFile(Settings settings) {
            this.settings = settings;
        }

        /// @throws UserException naming file and line
        static Map<String, Given> read(Path file, Settings settings) {
            ConfigFile reader = new ConfigFile(settings);
            YamlMap.readIfAny(file, null).ifPresent(root -> reader.take("", root));
            return reader.found;
        }

        private void take(String prefix, YamlMap map) {
            for (String name : map.keys()) {
                String key = prefix + name;
                if (map.isMap(name) && settings.isPrefix(key)) {
                    map.map(name, null).ifPresent(below -> take(key + ".", below));
                } else {
                    takeOne(map, name, key);
                }
            }
        }

        private void takeOne(YamlMap map, String name, String key) {
            @Nullable Setting setting = settings.byKey(key);
            if (setting == null) {
                throw map.wrongKey(
                        name,
                        settings.isPrefix(key)
                                ? "'" + key + "' needs 'name: value' lines below it"
                                : "unknown key '" + key + "'" + settings.suggestKey(key));
            }
            Given given = new Given(setting, value(map, name, setting), map.keyPlace(name));
            try {
                given.words();
            } catch (IllegalArgumentException wrong) {
                throw map.wrongKey(name, String.valueOf(wrong.getMessage()));
            }
            if (found.put(key, given) != null) {
                throw map.wrongKey(name, "'" + key + "' for the second time");
            }
        }

        private static String value(YamlMap map, String name, Setting setting) {
            if (!map.isList(name)) {
                String value = map.text(name, "");
                if (value.isBlank()) {
                    throw map.wrongKey(name, "'" + setting.key() + "' needs a value");
                }
                return value;
            }
            if (!setting.isList()) {
                throw map.wrongKey(name, "'" + setting.key() + "' is one value, not a list");
            }
            List<String> items = map.texts(name);
            for (String item : items) {
                if (item.isBlank() || item.contains(setting.option().splitRegex())) {
                    throw map.wrong(name, "'" + item + "' is not one value of '" + setting.key() + "'");
                }
            }
            return String.join(setting.option().splitRegex(), items);
        }
    }
}
