package kvant.cli.manual;

import kvant.text.ExitCode;
import kvant.text.command.CliCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `kvant completion`: a shell script that completes commands and options.
@Command(
        name = "completion",
        description = "Print a completion script for a shell.",
        sortOptions = false,
        footer = {
            "",
            "For this shell: source <(./kvant completion bash). Permanently: write it to",
            "/etc/bash_completion.d/kvant, or to ~/.local/share/bash-completion/completions."
        })
public final class CompletionCommand extends CliCommand {

    /// The supported shells.
    public enum Shell {
        BASH,
        ZSH
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private Shell shell = Shell.BASH; // one script for both: in zsh it loads the functions of bash

    @Override
    public Integer call() {
        CommandLine root = spec().root().commandLine();
        out().print(AutoComplete.bash(root.getCommandName(), root));
        out().flush();
        return ExitCode.DONE;
    }
}
