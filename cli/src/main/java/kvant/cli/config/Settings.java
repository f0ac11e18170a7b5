package kvant.cli.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvant.text.command.OptionGroups;
import kvant.text.command.Suggestion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// All settings of a node: the options of `kvant serve`.
final class Settings {

    /// Names the configuration file, and cannot be set in it.
    static final String FILE_OPTION = "--config";

    private final Map<String, Setting> byKey = new LinkedHashMap<>();
    private final Map<String, Setting> byVariable = new LinkedHashMap<>();
    private final Map<String, List<OptionSpec>> groups;

    Settings(CommandSpec serve) {
        groups = OptionGroups.of(serve);
        for (OptionSpec option : serve.options()) {
            if (isSetting(option)) {
                Setting setting = Setting.of(option);
                byKey.put(setting.key(), setting);
                byVariable.put(setting.variable(), setting);
            }
        }
        if (byVariable.size() < byKey.size()) {
            throw new IllegalStateException("two options of serve have one variable");
        }
    }

    static boolean isSetting(OptionSpec option) {
        return !option.usageHelp()
                && !option.versionHelp()
                && !option.longestName().equals(FILE_OPTION);
    }

    /// In the order of the help.
    Collection<Setting> all() {
        return byKey.values();
    }

    Map<String, List<OptionSpec>> groups() {
        return groups;
    }

    @Nullable
    Setting byKey(String key) {
        return byKey.get(key);
    }

    @Nullable
    Setting byVariable(String variable) {
        return byVariable.get(variable);
    }

    /// True if there are longer keys that start with this one and a dot.
    boolean isPrefix(String key) {
        return byKey.keySet().stream().anyMatch(longer -> longer.startsWith(key + "."));
    }

    String suggestKey(String typed) {
        Optional<String> deeper =
                byKey.keySet().stream().filter(key -> key.endsWith("." + typed)).findFirst();
        return deeper.map(key -> "; did you mean '" + key + "'?")
                .orElseGet(() -> Suggestion.among(byKey.keySet(), typed));
    }

    String suggestVariable(String typed) {
        return Suggestion.among(byVariable.keySet(), typed);
    }
}
