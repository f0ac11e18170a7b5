package kvant.text.command;

import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;

/// Commands that a program finds on its class path, by `java.util.ServiceLoader`: the node's command line thus has
/// the commands of the laboratory, without a dependency on it.
public interface CommandProvider {

    /// The program that shows the commands.
    ///
    /// @param main the class whose `main` understands `serve`
    /// @param obstacle why `serve` refuses these options, or empty
    record Program(String main, Function<List<String>, String> obstacle) {}

    /// The commands, with their subcommands.
    List<CommandLine> commands(Program kvant);
}
