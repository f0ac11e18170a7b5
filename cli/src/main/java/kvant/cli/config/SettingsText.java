package kvant.cli.config;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;

/// Settings as a file that says where each of them comes from, and can be used as one.
final class SettingsText {

    /// What YAML reads as it stands, whatever it is.
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/.][A-Za-z0-9/._+=,-]*");

    private final Settings settings;
    private final Map<String, Given> given;
    private final StringBuilder text = new StringBuilder();
    private final Set<String> begun = new LinkedHashSet<>();

    private SettingsText(Settings settings, Map<String, Given> given) {
        this.settings = settings;
        this.given = given;
    }

    /// @param all what is not set, too
    static String of(Settings settings, Map<String, Given> given, boolean all) {
        SettingsText writer = new SettingsText(settings, given);
        for (Setting setting : settings.all()) {
            writer.add(setting);
        }
        if (all) {
            settings.all().stream()
                    .filter(setting -> !given.containsKey(setting.key()))
                    .forEach(writer::addUsual);
        }
        return writer.text.toString();
    }

    /// All keys of a group stand together, because a group can occur but once.
    private void add(Setting setting) {
        String group = group(setting);
        if (group.isEmpty()) {
            line("", setting.key(), given.get(setting.key()));
        } else if (begun.add(group)) {
            int before = text.length();
            text.append(group).append(":\n");
            int header = text.length();
            for (Setting other : settings.all()) {
                if (group(other).equals(group)) {
                    line("  ", other.key().substring(group.length() + 1), given.get(other.key()));
                }
            }
            if (text.length() == header) {
                text.setLength(before);
            }
        }
    }

    /// What stands before the first dot; nothing where that is a setting itself, or has but this one below it.
    private String group(Setting setting) {
        int dot = setting.key().indexOf('.');
        String first = dot < 0 ? "" : setting.key().substring(0, dot);
        long below = settings.all().stream()
                .filter(other -> other.key().startsWith(first + "."))
                .count();
        return settings.byKey(first) == null && below > 1 ? first : "";
    }

    private void line(String indent, String name, @Nullable Given one) {
        if (one != null) {
            text.append(indent)
                    .append(name)
                    .append(": ")
                    .append(scalar(one.value()))
                    .append("  # ")
                    .append(one.origin())
                    .append('\n');
        }
    }

    private void addUsual(Setting setting) {
        String usual = setting.usual();
        text.append("# ")
                .append(setting.key())
                .append(usual.isEmpty() ? ": not set" : ": " + usual + "  (default)")
                .append('\n');
    }

    private static String scalar(String value) {
        return PLAIN.matcher(value).matches() ? value : Json.quote(value);
    }
}
