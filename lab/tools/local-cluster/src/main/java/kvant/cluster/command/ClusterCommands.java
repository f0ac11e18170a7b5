package kvant.cluster.command;

import java.util.List;
import kvant.text.command.CommandProvider;
import picocli.CommandLine;

/// `kvant cluster`, for the program `kvant`.
public final class ClusterCommands implements CommandProvider {

    @Override
    public List<CommandLine> commands(Program kvant) {
        return List.of(new CommandLine(new ClusterCommand()));
    }
}
