package kvant.mutants;

import java.util.List;
import kvant.mutants.Trial.Outcome;

/// The summary of a run.
final class Summary {

    private Summary() {}

    /// `N mutants, N caught`, and the exceptions.
    static String of(List<Trial.Result> results) {
        long caught = results.stream().filter(Summary::isCaught).count();
        long expected =
                results.stream().filter(one -> !isCaught(one) && !isWrong(one)).count();
        return results.size() + (results.size() == 1 ? " mutant, " : " mutants, ") + caught + " caught"
                + (expected == 0 ? "" : ", " + expected + " survived as expected");
    }

    static boolean isCaught(Trial.Result result) {
        return result.outcome() == Outcome.CAUGHT || result.outcome() == Outcome.HUNG;
    }

    /// Broken, or not caught although it must be.
    static boolean isWrong(Trial.Result result) {
        return result.outcome() == Outcome.BROKEN
                || result.outcome() == Outcome.SURVIVED && result.mutant().mustBeCaught();
    }
}
