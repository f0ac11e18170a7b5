package kvant.cli.config;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.OptionSpec;

/// One option of a node, and its names: `--lsm.memtable`, `KVANT_LSM_MEMTABLE`, `lsm.memtable`.
record Setting(String key, OptionSpec option) {

    static final String PREFIX = "KVANT_";

    private static final Pattern DEFAULT = Pattern.compile("\\s*\\(default: (.*)\\)\\.$");

    static Setting of(OptionSpec option) {
        return new Setting(option.longestName().replaceFirst("^--", ""), option);
    }

    String variable() {
        return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /// True if it is switched on or off, and takes no value on a command line.
    boolean isFlag() {
        return option.arity().max() == 0;
    }

    boolean isList() {
        return !option.splitRegex().isEmpty();
    }

    /// @return the command-line options for the value
    /// @throws IllegalArgumentException with the reason, when the value is invalid
    List<String> words(String value) {
        if (!isFlag()) {
            return List.of("--" + key + "=" + value);
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> List.of("--" + key);
            case "false" -> List.of();
            default -> throw new IllegalArgumentException("'" + key + "' is true or false, not '" + value + "'");
        };
    }

    /// The default value as stated in the help; empty if there is none.
    String usual() {
        Matcher end = DEFAULT.matcher(description());
        return isFlag() ? "false" : end.find() ? end.group(1) : "";
    }

    /// The description without the default value.
    String meaning() {
        return DEFAULT.matcher(description()).replaceFirst(".");
    }

    private String description() {
        return String.join(" ", option.description()).replace("%%", "%"); // picocli formats it
    }

    /// A value of a setting and its source: the name of a variable, a file and line, or the command line.
    record Given(Setting setting, String value, String origin) {

        static final String COMMAND_LINE = "command line";

        /// @throws IllegalArgumentException with the reason, when the value is invalid
        List<String> words() {
            return setting.words(value);
        }
    }
}
