package kvant.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;

/// Command lines that a document shows, read as a shell would read them.
final class DocumentCommands {

    /// @param place document and line, for a person
    /// @param program without its folder
    /// @param words behind the program, without redirections and comments
    /// @param indented whether it is in an indented block, to be typed as it stands; what is between fences is a
    ///     file, or needs more than a machine with Kvant
    record Shown(String place, String program, List<String> words, boolean indented) {

        String line() {
            return program + " " + String.join(" ", words);
        }
    }

    private static final String INDENTATION = "    ";
    private static final String FENCE = "```";
    private static final Set<String> SHELLS = Set.of("", "sh", "bash");

    /// A word, which may have parts in quotation marks, or what ends a command or sends its output elsewhere.
    private static final Pattern WORD = Pattern.compile("&&|[;|]|[12]?>>?|(?:'[^']*'|\"[^\"]*\"|[^\\s;|&>'\"])+");

    private static final Pattern ASSIGNMENT = Pattern.compile("[A-Z_]+=.*");
    private static final Pattern SPAN = Pattern.compile("(?s)(?<!`)`(?:\\./)?kvant ([a-z][^`]*)`(?!`)");

    private DocumentCommands() {}

    /// Those of these programs in blocks of code, in their order.
    static List<Shown> in(Path document, Set<String> programs) throws IOException {
        List<Shown> shown = new ArrayList<>();
        List<String> lines = Files.readAllLines(document);
        String fence = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith(FENCE)) {
                fence = fence == null ? line.substring(FENCE.length()).strip() : null;
                continue;
            }
            boolean isIndented = fence == null && line.startsWith(INDENTATION);
            if (isIndented || fence != null && SHELLS.contains(fence)) {
                String place = document.getFileName() + ":" + (i + 1);
                StringBuilder whole = new StringBuilder(line.strip());
                while (whole.toString().endsWith("\\") && i + 1 < lines.size()) {
                    whole.setLength(whole.length() - 1);
                    whole.append(lines.get(++i).strip());
                }
                for (List<String> command : commands(whole.toString())) {
                    String program =
                            command.getFirst().substring(command.getFirst().lastIndexOf('/') + 1);
                    if (programs.contains(program)) {
                        shown.add(new Shown(place, program, command.subList(1, command.size()), isIndented));
                    }
                }
            }
        }
        return shown;
    }

    /// The arguments behind the name of the program in code spans of the text.
    static List<String> inText(Path document) throws IOException {
        return SPAN.matcher(Files.readString(document))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    /// The commands of a line, each a program and its words.
    private static List<List<String>> commands(String line) {
        List<List<String>> commands = new ArrayList<>();
        List<String> command = new ArrayList<>();
        boolean isTarget = false; // of a redirection
        Matcher words = WORD.matcher(line);
        while (words.find() && !words.group().startsWith("#")) {
            String word = words.group();
            boolean ends = word.equals("&&") || word.equals(";") || word.equals("|");
            if (ends) {
                commands.add(command);
                command = new ArrayList<>();
            } else if (!isTarget && !word.endsWith(">")) {
                command.add(word.replaceAll("['\"]", ""));
            }
            isTarget = !ends && word.endsWith(">");
        }
        commands.add(command);
        return commands.stream()
                .map(DocumentCommands::withoutPrefix)
                .filter(each -> !each.isEmpty())
                .toList();
    }

    /// Without variables and `sudo -u USER`.
    private static List<String> withoutPrefix(List<String> command) {
        int from = 0;
        while (from < command.size() && ASSIGNMENT.matcher(command.get(from)).matches()) {
            from++;
        }
        if (from < command.size() && command.get(from).equals("sudo")) {
            from += from + 1 < command.size() && command.get(from + 1).equals("-u") ? 3 : 1;
        }
        return command.subList(Math.min(from, command.size()), command.size());
    }

    /// The first word that is no command and no option of the program, or nothing.
    static String unknownWord(CommandLine root, String line) {
        CommandLine command = root;
        boolean options = false;
        for (String word : line.strip().split("\\s+")) {
            options |= word.startsWith("-"); // what follows may be the value of one
            boolean named = !options && word.matches("[a-z][a-z-]*");
            boolean wanted = named && !command.getSubcommands().isEmpty();
            boolean helped = named && command.getCommand() instanceof HelpCommand;
            if (command.getCommand() instanceof SourceTreeCommand || word.equals("--")) {
                return ""; // the launcher knows its words, and what comes behind dashes is another program's
            }
            CommandLine next = (helped ? root : command).getSubcommands().get(word);
            if (next != null) {
                command = next;
            } else if (wanted && command.getCommandSpec().positionalParameters().isEmpty() || helped) {
                return word;
            } else if (word.startsWith("--")
                    && !command.getCommandSpec().optionsMap().containsKey(word)) {
                return word;
            }
        }
        return "";
    }
}
