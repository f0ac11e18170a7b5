package kvant.cli.config;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import picocli.CommandLine.Model.OptionSpec;

/// The page about all settings, from the options themselves.
final class ReferencePage {

    private static final String INTRODUCTION = """
            # Configuration

            All settings of a node: options of `kvant serve`, variables of the environment, keys of a YAML file.
            This page is made by `./kvant config reference`; a test fails when it is not up to date.

            ## Where a value comes from

            The first of these that has it: the command line, the environment, the file, the default. What is wrong
            is refused in one line that names the option, the variable, or file and line, before anything is opened
            (exit code 2). A check of several values together names each one that takes part in it.

            - **Command line**: `--lsm.memtable 32MiB`. A flag that is set elsewhere is taken back by
              `--debug-page=false`.
            - **Environment**: `KVANT_LSM_MEMTABLE=32MiB`; flags are `true` or `false`, several values are separated
              by commas. An empty variable counts as not set. A variable that begins with `KVANT_` and is not known
              is refused, but for those that the [launcher](run.md#start) reads, and those that Kubernetes
              sets beside a service of that name (its `KVANT_PORT=tcp://...` is refused: set `enableServiceLinks:
              false`, or call the service otherwise).
            - **File**: named by `--config FILE`, or by the variable `KVANT_CONFIG`. UTF-8, at most 1 MiB. A dot in
              a key is the same as nesting; several values are a list, or separated by commas. Unknown keys, second
              values and empty ones are refused. Paths are relative to the folder in which the command runs, as they
              are on the command line.

            ```yaml
            data: /var/lib/kvant
            allowed-hosts: [kvant.example, kvant.internal]
            lsm:
              memtable: 32MiB
              compression: none,none,lz4,zstd
            ```

            `./kvant config check FILE` says whether a node would take a file. `./kvant config print --effective`
            with the options of `serve` shows what a node would be started with, as such a file, and behind each
            value where it comes from. Commands about a data directory (`check`, `inspect`, `health`, `checkpoint`,
            `compact`, `backup create`, `read-only`, `mirror`, `slow`) take `data` from the same places.
            Passwords and keys are never values themselves: settings name the files that hold them.

            Benchmarks and the laboratory start their nodes without the settings of the environment.
            """;

    private ReferencePage() {}

    static String of(Settings settings) {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        BiConsumer<String, List<OptionSpec>> section = (heading, options) -> {
            List<Setting> shown = options.stream()
                    .filter(Settings::isSetting)
                    .map(Setting::of)
                    .toList();
            if (!shown.isEmpty()) {
                page.append("\n## ").append(heading).append("\n\n");
                page.append("| option and key | variable | default | meaning |\n|---|---|---|---|\n");
                shown.forEach(setting -> page.append(row(setting)));
            }
        };
        Map<String, List<OptionSpec>> groups = settings.groups();
        groups.forEach(section);
        return page.toString();
    }

    private static String row(Setting setting) {
        String label = setting.isFlag() ? "" : " " + setting.option().paramLabel();
        return "| `--" + setting.key() + label + "` | `" + setting.variable() + "` | " + escaped(setting.usual())
                + " | " + escaped(setting.meaning()) + " |\n";
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
