package kvant.cli.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvant.text.YamlMap;
import org.jspecify.annotations.Nullable;

/// Settings in a YAML file. A dot in a key is the same as nesting: `lsm: {memtable: 32MiB}` is `lsm.memtable: 32MiB`.
///
/// Values are taken as they are written, and only for keys of settings, so that aliases and tags can make nothing grow.
final class ConfigFile {

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
                throw map.wrongKey(name, "'" + setting.key() + "' has no value");
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
