package kvant.cassandra;

/// The size of a scan's next page in rows: few until the length of rows is known, then as many as fit into the page's
/// share of memory. Belongs to the reader of the scan.
final class PageRows {

    /// Approximate memory of a scan, all its pages together.
    static final long SCAN_BYTES = 8L << 20;

    private static final int ROW_OVERHEAD_BYTES = 64;

    // Constant.
    private final int most;
    private final long shareBytes;

    // Owned by the reader.
    private int rows;

    /// @param first rows of the first page
    /// @param most rows of any page
    /// @param pages that are in memory at a time
    PageRows(int first, int most, int pages) {
        this.rows = first;
        this.most = most;
        this.shareBytes = SCAN_BYTES / pages;
    }

    int count() {
        return rows;
    }

    /// Learns from a page.
    void seen(int rowsOfThePage, long bytesOfThePage) {
        if (rowsOfThePage > 0) {
            long bytes = bytesOfThePage + (long) rowsOfThePage * ROW_OVERHEAD_BYTES;
            rows = Math.clamp(shareBytes * rowsOfThePage / bytes, 1, most);
        }
    }
}
