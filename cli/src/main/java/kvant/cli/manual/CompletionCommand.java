package kvant.cli.manual;

import java.util.concurrent.Callable;
import kvant.text.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `kvant completion`: a script by which a shell completes commands and options.
@Command(
        name = "completion",
        description = "Print a script by which a shell completes commands and options.",
        sortOptions = false,
        footer = {
            "",
            "For this shell alone: source <(./kvant completion bash). For all: put it into",
            "/etc/bash_completion.d/kvant, or into ~/.local/share/bash-completion/completions."
        })
public final class CompletionCommand implements Callable<Integer> {

    /// The shells that there is a script for.
    public enum Shell {
        BASH,
        ZSH
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private Shell shell = Shell.BASH; // one script serves both: it asks zsh for the functions of bash

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        spec.commandLine().getOut().print(AutoComplete.bash(root.getCommandName(), root));
        spec.commandLine().getOut().flush();
        return ExitCode.DONE;
    }
}
