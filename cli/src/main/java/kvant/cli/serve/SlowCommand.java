package kvant.cli.serve;

import java.util.Locale;
import java.util.Objects;
import kvant.cli.control.DirectoryCommand;
import kvant.cli.control.NodeLogin;
import kvant.text.ExitCode;
import kvant.text.command.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `kvant slow`: shows the slowest requests of a running node, with the durations of their stages.
@Command(
        name = "slow",
        description = "Show the slowest requests of a running node, their stages, and concurrent activity.",
        sortOptions = false,
        footer = {
            "",
            "The node keeps the ten slowest of each minute and event loop for ten minutes,",
            "with their keys. By --data it answers its own user; by --url, from any machine,",
            "it must run with --debug-page. 'engine' is the time in the engine, for a write",
            "up to its commit. Exit codes: 0 shown, 1 no answer (the reason is on stderr), 2",
            "wrong command line."
        })
public final class SlowCommand extends DirectoryCommand {

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Ask the node at this URL, which runs with --debug-page.")
    private @Nullable String url;

    @Mixin
    private @Nullable NodeLogin login;

    @Option(names = "--format", paramLabel = "F", description = "text (a table; the default) or json.")
    private Output format = Output.TEXT;

    @Override
    public Integer call() throws InterruptedException {
        if (url != null) {
            String accept = format == Output.TEXT ? "text/plain" : "application/json";
            try {
                out().print(Objects.requireNonNull(login)
                        .page(url, "/debug/slow", accept, "start the node with --debug-page"));
            } catch (IllegalArgumentException e) {
                throw wrong(String.valueOf(e.getMessage()));
            }
            out().flush();
        } else {
            String request = "slow " + format.name().toLowerCase(Locale.ROOT);
            requireNode(request, NODE_TIMEOUT, ": name its directory by --data, or its address by --url");
        }
        return ExitCode.DONE;
    }
}
