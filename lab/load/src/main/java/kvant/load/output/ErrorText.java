package kvant.load.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.load.record.Failure;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.run.RunResult;
import kvant.load.workload.Workload;
import kvant.text.Units;

/// Describes failed requests in words: their number, their status codes, and a remedy.
public final class ErrorText {

    private static final int FIRST_ERROR = 400;
    private static final int NOT_FOUND = 404;

    private ErrorText() {}

    static String of(RequestCounts counts) {
        List<String> parts = new ArrayList<>();
        for (Failure failure : Failure.values()) {
            add(parts, counts.failedCount(failure), failure.name().toLowerCase(Locale.ROOT));
        }
        add(parts, counts.of(Count.UNSENT), "never sent");
        add(parts, counts.of(Count.UNEXPECTED), "of an unexpected status: " + unexpected(counts));
        add(parts, counts.of(Count.WRONG_BODIES), "with a wrong body");
        return Units.format(
                "Errors: %d of %d requests (%s); they are in the response times, at the time that they waited",
                counts.errors(), counts.due(), String.join("; ", parts));
    }

    private static void add(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add(count + " " + what);
        }
    }

    /// A single status code, or each with its count.
    private static String unexpected(RequestCounts counts) {
        List<String> statuses = new ArrayList<>();
        int last = 0;
        for (int status = FIRST_ERROR; status < RequestCounts.STATUS_END; status++) {
            long count = status == NOT_FOUND ? unexpectedlyMissing(counts) : counts.statusCount(status);
            if (count > 0) {
                statuses.add(status + " x " + count);
                last = status;
            }
        }
        return statuses.size() == 1 ? Integer.toString(last) : String.join(", ", statuses);
    }

    /// A requested key that is missing on purpose is no error. All other status codes from 400 on are errors.
    private static long unexpectedlyMissing(RequestCounts counts) {
        long others = 0;
        for (int status = FIRST_ERROR; status < RequestCounts.STATUS_END; status++) {
            others += status == NOT_FOUND ? 0 : counts.statusCount(status);
        }
        return counts.of(Count.UNEXPECTED) - others;
    }

    /// A remedy for the errors, or empty.
    static String hint(RunResult result) {
        Workload workload = result.plan().workload();
        boolean areKeysMissing =
                !workload.plain() && workload.mix().needsKeys() && unexpectedlyMissing(result.counts()) > 0;
        return areKeysMissing ? "404: these keys are not there; --prefill puts them first" : "";
    }

    /// The reason why a run is useless if no request succeeded; otherwise empty.
    public static String allFailed(RunResult result) {
        RequestCounts counts = result.counts();
        if (counts.due() == 0 || counts.errors() < counts.due()) {
            return "";
        }
        String hint = hint(result);
        boolean sameStatus = counts.of(Count.UNEXPECTED) == counts.due();
        return "every request failed" + (!hint.isEmpty() ? ": " + hint : sameStatus ? ": " + unexpected(counts) : "");
    }
}
