package kvant.text.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// A command that answers by lines and an [kvant.text.ExitCode].
public abstract class CliCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    protected final CommandSpec spec() {
        return spec;
    }

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /// A usage error, in one line.
    protected final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
