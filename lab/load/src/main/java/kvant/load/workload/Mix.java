package kvant.load.workload;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import kvant.text.Check;
import kvant.text.Drafts;

/// Shares of the operations; they add up to 1.
///
/// @param get reads of an existing key, or of a missing one by the hit share
/// @param update puts of an existing key
/// @param insert puts of a new key
/// @param rmw read-modify-writes of an existing key
public record Mix(double get, double update, double insert, double delete, double scan, double rmw) {

    private static final double TOLERANCE = 1e-6;

    /// Checks the shares. Those of a result file are not checked, because a file has rounded shares.
    ///
    /// @throws IllegalArgumentException if a share is negative, or the shares do not add up to 1
    private Mix checked() {
        double sum = get + update + insert + delete + scan + rmw;
        boolean isNegative = shares().values().stream().anyMatch(share -> !(share >= 0));
        Check.that(
                !isNegative && Math.abs(sum - 1) <= TOLERANCE,
                "the shares of the operations must add up to 1, not to " + sum);
        return this;
    }

    /// A mix with the given non-zero shares: `Mix.of(mix -> mix.get = 1)`.
    public static Mix of(Consumer<Draft> shares) {
        Draft draft = new Draft();
        shares.accept(draft);
        return Drafts.made(Mix.class, draft).checked();
    }

    /// By the names in files, in their order.
    public Map<String, Double> shares() {
        Map<String, Double> shares = new LinkedHashMap<>();
        shares.put("get", get);
        shares.put("update", update);
        shares.put("insert", insert);
        shares.put("delete", delete);
        shares.put("scan", scan);
        shares.put("rmw", rmw);
        return shares;
    }

    /// A share of gets, with other operations for the rest.
    public static Mix gets(double share, Consumer<Draft> rest) {
        return of(mix -> {
            mix.get = share;
            rest.accept(mix);
        });
    }

    /// A builder for mixes; all shares are 0 at first.
    public static final class Draft {

        public double get;
        public double update;
        public double insert;
        public double delete;
        public double scan;
        public double rmw;

        private Draft() {}
    }

    /// True if requests need existing keys.
    public boolean needsKeys() {
        return insert < 1;
    }
}
