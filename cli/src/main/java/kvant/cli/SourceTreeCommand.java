package kvant.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// A command that is listed here only for the help: the launcher runs it, because it needs the sources.
abstract class SourceTreeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public final Integer call() {
        String name = spec.name();
        throw new ParameterException(
                spec.commandLine(), "'" + name + "' needs a source tree: run ./kvant " + name + " there");
    }
}
