package kvant.cli.config;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import kvant.text.ExitCode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `kvant config reference`: docs/configuration.md, as this version is.
@Command(name = "reference", description = "Print a page about all settings, in Markdown.")
final class ReferenceCommand implements Callable<Integer> {

    private final Supplier<CommandLine> serve;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    ReferenceCommand(Supplier<CommandLine> serve) {
        this.serve = serve;
    }

    @Override
    public Integer call() {
        spec.commandLine()
                .getOut()
                .print(ReferencePage.of(new Settings(serve.get().getCommandSpec())));
        spec.commandLine().getOut().flush();
        return ExitCode.DONE;
    }
}
