package kvant.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant test`, for the list of commands only: the launcher runs it, because it needs the sources and no node.
@Command(name = "test", description = "Run every check that CI runs (in a source tree, by ./kvant).")
final class TestCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "'test' needs a source tree: run ./kvant test there");
    }
}
