package kvant.text.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option of commands whose other options may come from a file. A [CommandRunner] may read it before the
/// command is run.
public final class ConfigOption {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML file of settings; options and KVANT_... variables win over it.")
    private @Nullable String file;
}
