package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import kvant.text.command.CommandProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// Commands that the node's command line lists and the laboratory has.
class FoundCommandsTest {

    private static final Map<String, CommandLine> COMMANDS = Main.commandLine().getSubcommands();

    @Test
    void eachIsListedAsItIs() {
        Map<String, String> found = new TreeMap<>();
        for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
            for (CommandLine command : provider.commands(new CommandProvider.Program("", _ -> ""))) {
                String[] description = command.getCommandSpec().usageMessage().description();
                found.put(command.getCommandName(), String.join(" ", description));
            }
        }
        assertThat(found).isEqualTo(SourceTreeCommand.FOUND);
    }

    @Test
    void whatIsOnTheClassPathIsRun() {
        assertThat(SourceTreeCommand.FOUND.keySet())
                .allSatisfy(name ->
                        assertThat(COMMANDS.get(name).<Object>getCommand()).isNotInstanceOf(SourceTreeCommand.class));
    }

    /// As `CommandLineTest` has it for those of the node.
    @ParameterizedTest
    @ValueSource(strings = {"load", "compare", "profile", "profile diff"})
    void theHelpIsNotBrokenInTheMiddleOfALine(String command) {
        StringWriter out = new StringWriter();
        String[] words = (command + " --help").split(" ");
        assertThat(Main.execute(new PrintWriter(out), new PrintWriter(new StringWriter()), words))
                .isZero();
        CommandSpec spec = Main.commandLine()
                .parseArgs(words)
                .asCommandLineList()
                .getLast()
                .getCommandSpec();

        assertThat(out.toString()).startsWith("Usage: kvant " + command);
        assertThat(spec.usageMessage().footer())
                .allMatch(line -> line.length() <= spec.usageMessage().width());
        assertThat(spec.options()).allMatch(option -> option.description().length <= 1);
    }

    @Test
    void noHelpHasAVariableThatIsNone() {
        List<CommandLine> commands = new ArrayList<>();
        SourceTreeCommand.FOUND.keySet().forEach(name -> commands.add(COMMANDS.get(name)));
        for (int i = 0; i < commands.size(); i++) {
            CommandLine command = commands.get(i);
            commands.addAll(command.getSubcommands().values());
            assertThat(command.getUsageMessage())
                    .as(command.getCommandSpec().qualifiedName())
                    .doesNotContain("'null'", "$$");
        }
        assertThat(commands).hasSizeGreaterThan(15);
    }
}
