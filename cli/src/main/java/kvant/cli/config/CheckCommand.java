package kvant.cli.config;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import kvant.text.ExitCode;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `kvant config check`: whether a node would take a file of settings.
@Command(
        name = "check",
        description = "Say whether 'kvant serve' would take a file of settings, by itself.",
        sortOptions = false,
        footer = {
            "",
            "Looks at names, values and how they go together, and at no variable of the",
            "environment but KVANT_CONFIG. Nothing is started.",
            "Exit codes: 0 it would, 1 it would not (the reason is on stderr), 2 wrong",
            "command line."
        })
final class CheckCommand implements Callable<Integer> {

    private final Map<String, String> environment;
    private final Supplier<CommandLine> serve;
    private final Function<List<String>, String> obstacle;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description = "The file (default: the one that KVANT_CONFIG names).")
    private @Nullable String file;

    CheckCommand(
            Map<String, String> environment, Supplier<CommandLine> serve, Function<List<String>, String> obstacle) {
        this.environment = environment;
        this.serve = serve;
        this.obstacle = obstacle;
    }

    @Override
    public Integer call() {
        @Nullable String named = file == null ? EnvironmentVariables.file(environment) : file;
        if (named == null) {
            throw new ParameterException(spec.commandLine(), "name a file, or let KVANT_CONFIG name one");
        }
        Settings settings = new Settings(serve.get().getCommandSpec());
        List<Given> given =
                List.copyOf(ConfigFile.read(Sources.path(named), settings).values());
        String refusal = obstacle.apply(Sources.words(given));
        if (!refusal.isEmpty()) {
            throw new UserException(refusal + Sources.reasons(refusal, given, List.of(), obstacle));
        }
        spec.commandLine()
                .getOut()
                .println(named + ": nothing is wrong with its " + given.size()
                        + (given.size() == 1 ? " setting" : " settings"));
        return ExitCode.DONE;
    }
}
