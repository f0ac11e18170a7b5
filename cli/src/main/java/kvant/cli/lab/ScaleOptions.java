package kvant.cli.lab;

import kvant.lab.experiment.Scale;
import picocli.CommandLine.Option;

/// Which sizes of an experiment.
final class ScaleOptions {

    @Option(names = "--short", description = "In the short scale: A to F together in about an hour.")
    private boolean shortened;

    @Option(names = "--quick", description = "In the quick scale: a few minutes each.")
    private boolean quick;

    Scale scale() {
        return quick ? Scale.QUICK : shortened ? Scale.SHORT : Scale.FULL;
    }
}
