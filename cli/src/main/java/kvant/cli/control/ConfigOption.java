package kvant.cli.control;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The `--config` option: names a file with further options, which is read before the command runs.
public final class ConfigOption {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML file of settings; options and KVANT_... variables override it.")
    private @Nullable String file;
}
