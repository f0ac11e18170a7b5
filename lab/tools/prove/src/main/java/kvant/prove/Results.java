package kvant.prove;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.lab.process.Folders;
import kvant.lab.result.Identity;
import kvant.lab.result.Machine;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Trial;
import kvant.text.Json;
import kvant.text.JsonValue;

/// The last result of each trial, kept in `reliability.json`, and the table that is made of them, `reliability.md`.
final class Results {

    static final String HELD = "held";
    static final String VIOLATED = "violated";

    private static final int SHORT_COMMIT = 7;
    private static final long GIB = 1L << 30;

    private final Path folder;
    private final Map<String, Result> results = new LinkedHashMap<>();

    /// @param outcome held, violated, or why it was not run here
    private record Result(
            String trial, String outcome, String figures, long seed, long seconds, String date, String commit, String machine) {

        private static Result read(JsonValue json) {
            return new Result(
                    json.at("trial").text(),
                    json.at("outcome").text(),
                    json.at("figures").text(),
                    json.at("seed").whole(),
                    json.at("seconds").whole(),
                    json.at("date").text(),
                    json.at("commit").text(),
                    json.at("machine").text());
        }

        private void write(Json json) {
            json.open()
                    .put("trial", trial)
                    .put("outcome", outcome)
                    .put("figures", figures)
                    .put("seed", seed)
                    .put("seconds", seconds)
                    .put("date", date)
                    .put("commit", commit)
                    .put("machine", machine)
                    .close();
        }
    }

    /// Those that are there already are kept until their trial runs again.
    Results(Path folder) {
        this.folder = folder;
        if (Files.exists(json())) {
            JsonValue.read(json(), "results of trials").at("trials").list().stream()
                    .map(Result::read)
                    .forEach(result -> results.put(result.trial(), result));
        }
    }

    private Path json() {
        return folder.resolve("reliability.json");
    }

    /// Writes both files anew. A trial that this machine cannot run leaves the result of another one.
    void put(Trial trial, String outcome, Figures figures, long seed, long seconds) {
        if (!figures.all().isEmpty() || !results.containsKey(trial.name())) {
            Identity kvant = Identity.of(Results.class);
            Machine machine = Machine.ofThis();
            String commit = String.valueOf(kvant.commit());
            results.put(
                    trial.name(),
                    new Result(
                            trial.name(),
                            outcome,
                            figures.toString(),
                            seed,
                            seconds,
                            LocalDate.now(ZoneOffset.UTC).toString(),
                            commit.substring(0, Math.min(SHORT_COMMIT, commit.length())) + (kvant.changed() ? "+" : ""),
                            machine.cores() + " cores of " + machine.cpu() + ", " + machine.memoryBytes() / GIB + " GiB, "
                                    + machine.kernel()));
        }
        Folders.create(folder);
        Json json = new Json().open().openList("trials");
        results.values().forEach(result -> result.write(json));
        Folders.write(json(), json.closeList().close() + "\n");
        Folders.write(folder.resolve("reliability.md"), page());
    }

    private String page() {
        StringBuilder page = new StringBuilder(
                """
                # Promises under faults

                Each promise of a node with the fault that tries it and the last run. Made by `./kvant prove`, which goes
                on with the rows that it ran and keeps the others; the same as data is in
                [reliability.json](reliability.json).

                    ./kvant prove --list                          # the trials, and what a machine cannot run
                    ./kvant prove --only kill-always --for 10m    # one of them
                    ./kvant prove                                 # all, a minute each; tests once

                A violation ends the command with exit code 1, the folder of the run, its seed and the command that repeats
                it. `lost 0` counts acknowledged writes that are gone, half there, or deleted and back. Mutants, deliberate
                faults that the tests must catch: [list](../dev/mutants.md).

                | # | fault | promise | run | figures |
                |---|---|---|---|---|
                """);
        for (Row row : Row.ALL) {
            lines(page, row);
        }
        Trials.all().filter(trial -> trial.row() == 0).forEach(trial -> line(page, "", "", trial));
        page.append("\nRuns:\n\n");
        results.values().stream()
                .filter(result -> !result.figures().isEmpty())
                .collect(Collectors.groupingBy(
                        result -> result.date() + ", commit " + result.commit() + ", " + result.machine(),
                        LinkedHashMap::new,
                        Collectors.mapping(Results::run, Collectors.joining(", "))))
                .forEach((origin, runs) -> page.append("- ").append(origin).append(": ").append(runs).append("\n"));
        return page.toString();
    }

    private static String run(Result result) {
        return "`" + result.trial() + "` (" + result.seconds() + " s, seed " + result.seed() + ")";
    }

    private void lines(StringBuilder page, Row row) {
        List<Trial> trials = new ArrayList<>(
                Trials.all().filter(trial -> trial.row() == row.number()).toList());
        if (!row.elsewhere().isEmpty()) {
            page.append("| %d | %s | %s | not run here | %s |%n"
                    .formatted(row.number(), row.fault(), row.promise(), row.elsewhere()));
        }
        for (Trial trial : trials) {
            boolean first = row.elsewhere().isEmpty() && trial.equals(trials.getFirst());
            line(page, first ? Integer.toString(row.number()) : "", first ? row.fault() : "", trial);
        }
    }

    private void line(StringBuilder page, String number, String fault, Trial trial) {
        Result result = results.get(trial.name());
        String figures = result == null
                ? "not run yet"
                : Stream.of(result.outcome().equals(HELD) ? "" : result.outcome(), result.figures())
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining(": "));
        page.append("| %s | %s | %s | `%s` | %s |%n"
                .formatted(number, fault, trial.promise(), trial.name(), figures));
    }
}
