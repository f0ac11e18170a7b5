package kvant.server.http.answer;

import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.Outcome;

/// What a node says about its readiness: one word where all is well, else a line for each check.
final class ReadinessText {

    private ReadinessText() {}

    /// @param verbose whether the checks are told where all is well, too
    static String of(Outcome.Readiness readiness, boolean verbose, HiddenPaths paths) {
        if (readiness.ready() && !verbose) {
            return "ready\n";
        }
        StringBuilder text = new StringBuilder();
        for (Outcome.Readiness.Check check : readiness.checks()) {
            text.append(check.name()).append(check.ok() ? ": ok: " : ": failed: ");
            text.append(paths.hide(check.detail()).replace('\n', ' ')).append('\n');
        }
        return text.toString();
    }
}
