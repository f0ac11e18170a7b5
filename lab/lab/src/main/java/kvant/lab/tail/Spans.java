package kvant.lab.tail;

import java.util.Arrays;

/// Disjoint time spans in order. Immutable.
final class Spans {

    static final Spans NONE = new Spans(new long[0], new long[0]);

    private final long[] from;
    private final long[] to;

    private Spans(long[] from, long[] to) {
        this.from = from;
        this.to = to;
    }

    /// The overlap with a period, in nanoseconds.
    long overlap(long begin, long end) {
        long sum = 0;
        for (int i = firstEndingAfter(begin); i < from.length && from[i] < end; i++) {
            sum += Math.min(to[i], end) - Math.max(from[i], begin);
        }
        return sum;
    }

    boolean overlaps(long begin, long end) {
        int i = firstEndingAfter(begin);
        return i < from.length && from[i] < end;
    }

    private int firstEndingAfter(long time) {
        int at = Arrays.binarySearch(to, time);
        return at >= 0 ? at + 1 : -at - 1;
    }

    int count() {
        return from.length;
    }

    /// These spans without those of the other.
    Spans without(Spans other) {
        Builder rest = new Builder();
        for (int i = 0; i < from.length; i++) {
            long at = from[i];
            for (int j = other.firstEndingAfter(at); j < other.from.length && other.from[j] < to[i]; j++) {
                rest.add(at, other.from[j]);
                at = other.to[j];
            }
            rest.add(at, to[i]);
        }
        return rest.spans();
    }

    Spans and(Spans other) {
        Builder both = new Builder();
        for (Spans each : new Spans[] {this, other}) {
            for (int i = 0; i < each.from.length; i++) {
                both.add(each.from[i], each.to[i]);
            }
        }
        return both.spans();
    }

    /// Collects spans in any order; they may overlap.
    static final class Builder {

        private long[][] spans = new long[16][];
        private int count;

        /// An empty or negative span is ignored.
        void add(long begin, long end) {
            if (begin >= end) {
                return;
            }
            if (count == spans.length) {
                spans = Arrays.copyOf(spans, 2 * count);
            }
            spans[count++] = new long[] {begin, end};
        }

        Spans spans() {
            long[][] sorted = Arrays.copyOf(spans, count);
            Arrays.sort(sorted, (a, b) -> Long.compare(a[0], b[0]));
            long[] from = new long[count];
            long[] to = new long[count];
            int merged = 0;
            for (long[] span : sorted) {
                if (merged > 0 && span[0] <= to[merged - 1]) {
                    to[merged - 1] = Math.max(to[merged - 1], span[1]);
                } else {
                    from[merged] = span[0];
                    to[merged++] = span[1];
                }
            }
            return merged == 0 ? NONE : new Spans(Arrays.copyOf(from, merged), Arrays.copyOf(to, merged));
        }
    }
}
