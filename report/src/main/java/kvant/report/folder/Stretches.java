package kvant.report.folder;

import java.util.ArrayList;
import java.util.List;
import kvant.load.host.HostWatch;
import kvant.load.record.Window;
import kvant.load.result.Distribution;
import kvant.load.result.LoadResult;
import org.HdrHistogram.Histogram;

/// The stretches of a step from which its response times are judged: those in which its host left it the processors.
///
/// A stretch is left out when more of its processor time was stolen than [HostWatch#DISTURBED] allows, and none is when
/// that would leave less than half of them: such a step is what this machine is like, and a doubt. The rule was fixed
/// before any result was seen.
///
/// @param kept encoded as in [Distribution]
/// @param leftOut how many were
record Stretches(List<String> kept, int leftOut) {

    private static final double MOST_LEFT_OUT = 0.5;

    static Stretches of(LoadResult saved) {
        List<String> all = saved.blocks();
        if (saved.windows().size() < all.size()) {
            return new Stretches(all, 0); // nothing says what happened meanwhile
        }
        int windowsEach = windowsEach(saved.windows().size(), all.size());
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            int to = i == all.size() - 1 ? saved.windows().size() : (i + 1) * windowsEach;
            if (!isDisturbed(
                    saved.windows().subList(i * windowsEach, to), saved.host().processors())) {
                kept.add(all.get(i));
            }
        }
        int leftOut = all.size() - kept.size();
        return leftOut > MOST_LEFT_OUT * all.size() ? new Stretches(all, 0) : new Stretches(kept, leftOut);
    }

    /// Stretches of long runs are several windows, a power of two; a last window that is shorter than others is none by
    /// itself.
    private static int windowsEach(int windows, int stretches) {
        int each = 1;
        while (stretches > 0 && Math.ceilDiv(windows - 1, each) > stretches) {
            each *= 2;
        }
        return each;
    }

    private static boolean isDisturbed(List<Window> windows, long processors) {
        long stolen = windows.stream().mapToLong(Window::stolenNanos).sum();
        long length = windows.stream().mapToLong(Window::lengthNanos).sum();
        return stolen > HostWatch.DISTURBED * length * Math.max(1, processors);
    }

    /// Their response times, of all requests that completed in them.
    ///
    /// @param response of the whole step
    Histogram response(Histogram response) {
        if (leftOut == 0) {
            return response;
        }
        Histogram sum = new Histogram(response.getNumberOfSignificantValueDigits());
        kept.forEach(one -> sum.add(Distribution.decoded(one)));
        return sum;
    }
}
