package kvant.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/// The commands in the help of `kvant`, by what a person wants.
///
/// @param heading of the group
/// @param commands in the order of the help
record CommandGroups(String heading, List<String> commands) {

    static final List<CommandGroups> ALL = List.of(
            group("A node", "serve config token health slow read-only"),
            group("A store", "check inspect checkpoint backup archive restore compact copy mirror cluster"),
            group("Measuring", "load compare profile lab"),
            group("In a source tree, by ./kvant", "test bench prove package"),
            group("This program", "help man completion version"));

    private static CommandGroups group(String heading, String commands) {
        return new CommandGroups(heading, List.of(commands.split(" ")));
    }

    /// Has the help show commands in these groups.
    static CommandLine show(CommandLine kvant) {
        Map<String, CommandLine.IHelpSectionRenderer> sections = kvant.getHelpSectionMap();
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, _ -> "");
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroups::text);
        return kvant;
    }

    private static String text(Help help) {
        Map<String, Help> all = help.subcommands();
        StringBuilder text = new StringBuilder();
        for (CommandGroups group : ALL) {
            Map<String, Help> commands = new LinkedHashMap<>();
            for (String name : group.commands()) {
                Help command = all.get(name);
                if (command != null) { // the help of 'serve' alone knows few others
                    commands.put(name, command);
                }
            }
            if (!commands.isEmpty()) {
                String end = System.lineSeparator();
                text.append(end).append(group.heading()).append(':').append(end);
                text.append(help.commandList(commands));
            }
        }
        return text.toString();
    }
}
