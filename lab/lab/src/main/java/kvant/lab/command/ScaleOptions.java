package kvant.lab.command;

import kvant.lab.experiment.Scale;
import picocli.CommandLine.Option;

/// Which sizes of an experiment.
final class ScaleOptions {

    @Option(names = "--short", description = "In the short scale: A to F together in about 70 minutes.")
    private boolean shortened;

    @Option(names = "--quick", description = "In the quick scale: a few minutes each.")
    private boolean quick;

    @Option(
            names = "--decide",
            description = "What the questions ask of and nothing else, in short steps, until they are decided: A to E"
                    + " together in an hour.")
    private boolean decide;

    Scale scale() {
        if (decide) {
            return Scale.DECIDE;
        }
        return quick ? Scale.QUICK : shortened ? Scale.SHORT : Scale.FULL;
    }
}
