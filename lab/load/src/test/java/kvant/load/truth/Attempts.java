package kvant.load.truth;

/// A machine that others use bends a clock now and then; a tool that lies does so every time. A timing claim is
/// therefore tried up to four times and must hold once.
public final class Attempts {

    private static final int MOST = 4;

    private Attempts() {}

    /// A claim that must hold.
    public interface Claim {
        void hold() throws Exception;
    }

    public static void untilItHolds(Claim claim) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                claim.hold();
                return;
            } catch (AssertionError failed) {
                if (attempt == MOST) {
                    throw failed;
                }
            }
        }
    }
}
