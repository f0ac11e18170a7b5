package kvant.cli;

import kvant.text.command.CliCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// A command that is listed here only for the help: the launcher runs it, because it needs the sources.
@Command
final class SourceTreeCommand extends CliCommand {

    static CommandLine named(String name, String description, String... footer) {
        CommandLine command = new CommandLine(new SourceTreeCommand());
        command.getCommandSpec()
                .name(name)
                .usageMessage()
                .description(description)
                .footer(footer);
        return command;
    }

    static CommandLine test() {
        return named(
                "test",
                "Run every check that CI runs.",
                "",
                "Takes some minutes. Arguments go to Maven: ./kvant test -pl engine",
                "./kvant test --full runs the slow ones too: packages, every benchmark, faults of a cluster.",
                "./kvant test -Dkvant.test.all=true tries more seeds, and takes longer.",
                "./kvant test --mutants [FILTER...] plants deliberate faults: the tests must catch them.");
    }

    static CommandLine bench() {
        return named("bench", "Compare with peers, as ratios.", "", "'./kvant bench --help' lists the benchmarks.");
    }

    static CommandLine prove() {
        return named(
                "prove",
                "Put a promise to the test at full length.",
                "",
                "'./kvant prove attack list' lists the attacks on a node.");
    }

    static CommandLine packages() {
        return named(
                "package",
                "Make packages to install.",
                "",
                "An archive, a .deb, a container image and a Helm chart, in target/packages.");
    }

    @Override
    public Integer call() {
        String name = spec().name();
        throw wrong("'" + name + "' needs a source tree: run ./kvant " + name + " there");
    }
}
