package kvant.lab.study.verdict;

import kvant.lab.study.folder.LoadResult;
import kvant.lab.study.words.Phrase;
import kvant.lab.study.words.Value;

/// Why the generator of a step is not beyond doubt, in words of ours where its figures say it.
public final class Doubt {

    /// The shares from which on the generator itself doubts; see docs/load.md.
    private static final double LAG_SHARE = 0.1;

    private static final double BUSY = 0.95;

    private Doubt() {}

    public static Phrase reason(LoadResult load) {
        double response = load.response().getValueAtPercentile(99);
        if (load.lagP99Nanos() > LAG_SHARE * response) {
            return Phrase.of("reason.lag")
                    .with("lag", Value.nanos(load.lagP99Nanos()))
                    .with("response", Value.nanos(response));
        }
        return load.busiest() > BUSY
                ? Phrase.of("reason.busy").with("share", Value.percent(load.busiest()))
                : Phrase.of("reason.given").with("reason", load.validityReason());
    }
}
