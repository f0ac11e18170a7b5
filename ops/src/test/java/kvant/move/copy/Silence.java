package kvant.move.copy;

/// Progress that is not shown.
final class Silence implements Progress {

    @Override
    public void copied(CopyState state) {}

    @Override
    public void compared(long records, long bytes, byte[] key) {}
}
