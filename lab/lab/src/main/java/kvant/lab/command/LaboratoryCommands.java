package kvant.lab.command;

import java.util.List;
import kvant.lab.command.LabCommand.ThisKvant;
import kvant.load.command.CompareCommand;
import kvant.load.command.LoadCommand;
import kvant.text.command.CommandProvider;
import picocli.CommandLine;

/// The measuring commands of `kvant`.
public final class LaboratoryCommands implements CommandProvider {

    @Override
    public List<CommandLine> commands(Program kvant) {
        return List.of(
                new CommandLine(new LoadCommand()),
                new CommandLine(new CompareCommand()),
                new CommandLine(new ProfileCommand()),
                LabCommand.commandLine(new ThisKvant(kvant.main(), kvant.obstacle())));
    }
}
