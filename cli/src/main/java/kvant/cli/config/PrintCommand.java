package kvant.cli.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import kvant.text.ExitCode;
import kvant.text.UserException;
import kvant.text.command.CommandRunner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/// `kvant config print`: what a node would be started with, and where each value comes from.
@Command(
        name = "print",
        description = "Show what 'kvant serve' with these options would be started with, as a file of settings.",
        sortOptions = false,
        footer = {
            "",
            "Behind each value stands where it comes from: the command line, a variable of",
            "the environment, or file and line. Nothing is started.",
            "Exit codes: 0 shown, 2 'serve' would refuse this (the reason is on stderr)."
        })
final class PrintCommand implements Callable<Integer> {

    private final Map<String, String> environment;
    private final Supplier<CommandLine> serve;
    private final Function<List<String>, String> obstacle;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--effective", description = "Show what is not set, too: as comments, with what then holds.")
    private boolean effective;

    @Parameters(
            paramLabel = "OPTION",
            arity = "0..*",
            description = "Options of 'kvant serve', --config FILE among them.")
    private List<String> options = new ArrayList<>();

    PrintCommand(
            Map<String, String> environment, Supplier<CommandLine> serve, Function<List<String>, String> obstacle) {
        this.environment = environment;
        this.serve = serve;
        this.obstacle = obstacle;
    }

    @Override
    public Integer call() {
        CommandLine command = serve.get();
        Settings settings = new Settings(command.getCommandSpec());
        ParseResult typed = typed(command);
        Map<String, Given> given = new LinkedHashMap<>(sources(settings, typed));
        given.keySet().removeIf(key -> typed.hasMatchedOption("--" + key));
        String refusal = obstacle.apply(line(given));
        if (!refusal.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), refusal + Sources.reasons(refusal, given.values(), options, obstacle));
        }
        for (OptionSpec option : typed.matchedOptions()) {
            if (Settings.isSetting(option)) {
                Setting setting = Setting.of(option);
                given.put(setting.key(), new Given(setting, typedValue(setting), Given.COMMAND_LINE));
            }
        }
        spec.commandLine().getOut().print(SettingsText.of(settings, given, effective));
        spec.commandLine().getOut().flush();
        return ExitCode.DONE;
    }

    private static String typedValue(Setting setting) {
        return setting.isFlag()
                ? String.valueOf(setting.option().<Object>getValue())
                : String.join(setting.option().splitRegex(), setting.option().originalStringValues());
    }

    private ParseResult typed(CommandLine command) {
        try {
            return command.parseArgs(options.toArray(String[]::new));
        } catch (UnmatchedArgumentException wrong) {
            throw refused("unknown option '" + wrong.getUnmatched().getFirst() + "'", wrong);
        } catch (ParameterException wrong) {
            throw refused(CommandRunner.firstLine(wrong), wrong);
        }
    }

    private Map<String, Given> sources(Settings settings, ParseResult typed) {
        try {
            @Nullable String file = typed.matchedOptionValue(Settings.FILE_OPTION, null);
            return Sources.read(settings, environment, file);
        } catch (UserException wrong) {
            throw refused(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private List<String> line(Map<String, Given> given) {
        List<String> line = Sources.words(given.values());
        line.addAll(options);
        return line;
    }

    private ParameterException refused(String why, RuntimeException cause) {
        return new ParameterException(spec.commandLine(), why, cause);
    }
}
