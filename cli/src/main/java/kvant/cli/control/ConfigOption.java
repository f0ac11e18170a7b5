package kvant.cli.control;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option of commands whose other options may come from a file, which is read before the command is run.
public final class ConfigOption {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML file of settings; options and KVANT_... variables override it.")
    private @Nullable String file;
}
