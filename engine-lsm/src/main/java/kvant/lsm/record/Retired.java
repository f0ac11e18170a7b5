package kvant.lsm.record;

/// A reader came to a table, a value file or a memtable that has been given back: a newer super version is there, which
/// has what it held. One instance without a stack trace, because that is no failure.
public final class Retired extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public static final Retired INSTANCE = new Retired();

    private Retired() {
        super("it is no longer part of the store", null, false, false);
    }
}
