package kvant.mutants;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import kvant.mutants.MutantTrial.Outcome;
import org.jspecify.annotations.Nullable;

/// The page with the last result of all mutants.
final class ResultPage {

    private static final double MILLIS_PER_MINUTE = 60_000;

    private ResultPage() {}

    /// @param listed number of mutants in all lists
    /// @param circumstances date, commit and machine of the last run
    static String of(List<MutantTrial.Result> results, int listed, String circumstances) {
        List<String> lines = new ArrayList<>(List.of(
                "# Deliberate faults, and the tests that catch them",
                "",
                "Written by `./kvant test --mutants`, the last time on " + circumstances + ".",
                "",
                "Each mutant is planted alone, and the one test that its list names must fail. The lists are next to",
                "the tests (`src/test/mutants/*.yaml` of each module);",
                "[CONTRIBUTING.md](../../CONTRIBUTING.md#mutants) says how to add one. A mutant is tried again when",
                "its entry, its file or its test class has changed ([mutants.history](mutants.history)).",
                "",
                "**" + summary(results, listed) + "**",
                "",
                "| list | mutants | caught | by the time limit | survive, as expected | minutes |",
                "|---|--:|--:|--:|--:|--:|"));
        Map<String, List<MutantTrial.Result>> areas = new LinkedHashMap<>();
        for (MutantTrial.Result result : results) {
            areas.computeIfAbsent(result.mutant().area(), _ -> new ArrayList<>())
                    .add(result);
        }
        areas.forEach((area, some) -> {
            lines.add(String.format(
                    Locale.ROOT,
                    "| [%s](../../%s.yaml) | %d | %d | %d | %d | %.1f |",
                    area,
                    area.replaceFirst("/([^/]*)$", "/src/test/mutants/$1"),
                    some.size(),
                    count(some, Outcome.CAUGHT),
                    count(some, Outcome.HUNG),
                    some.stream().filter(ResultPage::survivesAsExpected).count(),
                    some.stream().mapToLong(MutantTrial.Result::millis).sum() / MILLIS_PER_MINUTE));
        });
        list(lines, "Not caught", results, result -> result.isWrong() ? result.why() : null);
        list(
                lines,
                "No test can fail",
                results,
                result -> survivesAsExpected(result) ? result.mutant().survives() : null);
        return String.join("\n", lines) + "\n";
    }

    /// `N mutants, N caught`, and the exceptions.
    static String summary(List<MutantTrial.Result> results, int listed) {
        long caught = results.stream().filter(MutantTrial.Result::isCaught).count();
        long expected = results.stream()
                .filter(one -> !one.isCaught() && !one.isWrong())
                .count();
        return listed + (listed == 1 ? " mutant, " : " mutants, ") + caught + " caught"
                + (expected == 0 ? "" : ", " + expected + " survived as expected")
                + (results.size() == listed ? "" : ", " + (listed - results.size()) + " not tried yet");
    }

    private static boolean survivesAsExpected(MutantTrial.Result result) {
        return !result.mutant().mustBeCaught() && result.outcome() == Outcome.SURVIVED;
    }

    private static long count(List<MutantTrial.Result> results, Outcome outcome) {
        return results.stream().filter(one -> one.outcome() == outcome).count();
    }

    private static void list(
            List<String> lines,
            String title,
            List<MutantTrial.Result> results,
            Function<MutantTrial.Result, @Nullable String> reasons) {
        List<String> items = new ArrayList<>();
        for (MutantTrial.Result result : results) {
            @Nullable String reason = reasons.apply(result);
            if (reason != null) {
                items.add("- " + result.mutant().label() + (reason.isEmpty() ? "" : ": " + reason));
            }
        }
        if (!items.isEmpty()) {
            lines.addAll(List.of("", "## " + title, ""));
            lines.addAll(items);
        }
    }
}
