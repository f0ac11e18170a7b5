package kvant.lsm.record;

/// A reader met a table, a value file or a memtable that has been released: a newer super version has its data. One
/// instance without a stack trace, because that is no failure.
public final class Retired extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public static final Retired INSTANCE = new Retired();

    private Retired() {
        super("it is no longer part of the store", null, false, false);
    }
}
