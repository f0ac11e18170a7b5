package kvant.cli.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Settings in variables of the environment. An empty variable counts as one that is not there.
final class EnvironmentVariables {

    /// Names the file where no option does.
    static final String FILE = "KVANT_CONFIG";

    /// What other programs of ours read.
    private static final Set<String> OTHERS =
            Set.of(FILE, "KVANT_JAVA17", "KVANT_JAVA_HOME", "KVANT_JAVA_OPTS", "KVANT_JVM_FOLDER", "KVANT_TOOLS");

    /// Kubernetes gives them to containers beside a service that is called `kvant`.
    private static final Pattern SERVICE_LINK =
            Pattern.compile("KVANT_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_.+)?)");

    private EnvironmentVariables() {}

    /// Whether there may be a setting, or the name of a file with some, without looking at what settings there are.
    static boolean areAny(Map<String, String> environment) {
        return environment.keySet().stream().anyMatch(name -> name.equals(FILE) || isOurs(name));
    }

    private static boolean isOurs(String name) {
        return name.startsWith(Setting.PREFIX) && !OTHERS.contains(name);
    }

    /// @throws UserException naming the variable
    static Map<String, Given> read(Map<String, String> environment, Settings settings) {
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

    /// @return the file of settings that the environment names, or null
    static @Nullable String file(Map<String, String> environment) {
        @Nullable String file = environment.get(FILE);
        return file == null || file.isBlank() ? null : file;
    }
}
