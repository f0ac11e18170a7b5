package kvant.engine;

/// The first records of another cursor. Does not move the other one beyond them, so that nothing is read in
/// vain.
final class LimitedCursor extends ForwardingCursor {

    private long left;

    LimitedCursor(Cursor records, long limit) {
        super(records);
        this.left = limit;
    }

    @Override
    public boolean next() {
        if (left == 0) {
            return false;
        }
        left--;
        return super.next();
    }
}
