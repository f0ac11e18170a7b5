package kvant.text.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/// The options of a command by their [Heading]. The groups of picocli would be more than that: they check which options
/// go together, and count how often a group is given.
public final class OptionGroups {

    private OptionGroups() {}

    /// The options by heading, in the order in which they are declared; those without a heading are under an empty
    /// one.
    public static Map<String, List<OptionSpec>> of(CommandSpec command) {
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        for (OptionSpec option : command.options()) {
            groups.computeIfAbsent(heading(option), _ -> new ArrayList<>()).add(option);
        }
        return groups;
    }

    /// The name of an option that is set, among those whose names start with one of these prefixes and that have no
    /// default here.
    ///
    /// @return empty where none is set
    public static String given(CommandSpec command, String... beginnings) {
        for (OptionSpec option : command.options()) {
            Object value = option.getValue();
            boolean isSet = value != null && !Boolean.FALSE.equals(value);
            if (isSet && Arrays.stream(beginnings).anyMatch(option.longestName()::startsWith)) {
                return option.longestName();
            }
        }
        return "";
    }

    /// Groups the options in the help of a command and of its subcommands under their headings.
    static void show(CommandLine command) {
        command.getSubcommands().values().forEach(OptionGroups::show);
        Map<String, IHelpSectionRenderer> sections = command.getHelpSectionMap();
        IHelpSectionRenderer plain = sections.get(UsageMessageSpec.SECTION_KEY_OPTION_LIST);
        // Headings are read when help is asked for: a start does not wait for them.
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> {
            Map<String, List<OptionSpec>> groups = of(command.getCommandSpec());
            return groups.size() > 1 || plain == null ? text(help, groups) : plain.render(help);
        });
    }

    private static String text(Help help, Map<String, List<OptionSpec>> groups) {
        StringBuilder text = new StringBuilder();
        groups.forEach((heading, options) -> {
            Help.Layout layout = help.createDefaultLayout(); // as wide as all options need, so that columns are aligned
            layout.addOptions(options, help.parameterLabelRenderer());
            text.append(heading.isEmpty() ? "" : System.lineSeparator() + heading + ":" + System.lineSeparator())
                    .append(layout);
        });
        return text.toString();
    }

    private static String heading(OptionSpec option) {
        if (!(option.userObject() instanceof Field field)) {
            return "";
        }
        @Nullable Heading own = field.getAnnotation(Heading.class);
        @Nullable Heading shared = own == null ? field.getDeclaringClass().getAnnotation(Heading.class) : own;
        return shared == null ? "" : shared.value();
    }

    /// The heading of an option in the help. On a class it applies to all of its options.
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.FIELD})
    public @interface Heading {

        String value();
    }
}
