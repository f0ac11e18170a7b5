package kvant.lsm.record;

/// A record is not in memory, and its reader may not wait for a disk. One instance without a stack trace, because cold
/// ranges are no failure.
public final class WouldBlock extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public static final WouldBlock INSTANCE = new WouldBlock();

    private WouldBlock() {
        super("would wait for a disk", null, false, false);
    }
}
