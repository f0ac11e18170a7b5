package kvant.report.verdict;

import kvant.load.run.Validity;
import kvant.report.folder.DecodedResult;

/// Why the generator of a step is not beyond doubt.
public sealed interface GeneratorDoubt {

    /// It sent late, and so much of what it measured may be its own.
    record Late(double ownNanos, double responseNanos) implements GeneratorDoubt {}

    /// Its busiest thread had no time left.
    record Busy(double share) implements GeneratorDoubt {}

    /// As its result says.
    record Given(String text) implements GeneratorDoubt {}

    /// By the shares from which on the generator itself doubts.
    static GeneratorDoubt of(DecodedResult load) {
        double response = load.response().getValueAtPercentile(99);
        if (load.ownP99Nanos() > Validity.LAG_SHARE * response) {
            return new Late(load.ownP99Nanos(), response);
        }
        double busiest = load.file().generator().busiestThread();
        return busiest > Validity.BUSY ? new Busy(busiest) : new Given(load.validityReason());
    }
}
