package kvant.prove;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import kvant.lab.process.Folders;
import kvant.lab.result.Identity;
import kvant.lab.result.Machine;
import kvant.load.result.RecordJson;
import kvant.prove.stage.Figures;

/// The last result of each trial, kept in `reliability.json`, and the table that is made of them, `reliability.md`.
final class Results {

    private static final int SHORT_COMMIT = 7;
    private static final long GIB = 1L << 30;
    private static final String NOT_RUN = "not run ";

    private static final String HEAD = """
            # Promises under faults

            Each promise of a node, the fault that tries it, and what `./kvant prove` counted, here and in
            [reliability.json](reliability.json). Of runs of a trial on one commit and machine, counts add up, and
            the largest of `most` and `p99` is kept; other runs replace them.

                ./kvant prove --list                          # the trials, and those that a machine cannot run
                ./kvant prove --only kill-always --for 10m    # one of them
                ./kvant prove                                 # all, a minute each; tests once

            A violation ends the command with exit code 1, the folder of the run, its seed and the command that repeats
            it. `lost 0` counts acknowledged writes that are gone, half there, or deleted and back. A power cut is the
            shutdown ioctl of the file system while each thread of the node stands still; disks that lose their own
            cache are not part of it. Deliberate faults that the tests must catch: [mutants](../dev/mutants.md).

            | # | fault | promise | run | figures |
            |---|---|---|---|---|
            """;

    private final Path json;
    private final Path page;

    /// By the names of their trials.
    private final Map<String, Result> results = new LinkedHashMap<>();

    private record AllResults(List<Result> trials) {}

    /// The last one of a trial, as in the file.
    ///
    /// @param seed of its runs, separated by commas
    private record Result(
            String trial, String figures, String seed, String seconds, String date, String commit, String machine) {

        /// With what the trial counted in earlier runs on this commit and machine.
        Result after(Result earlier) {
            Figures before = Figures.of(earlier.figures);
            Figures now = Figures.of(figures);
            boolean isSame = commit.equals(earlier.commit) && machine.equals(earlier.machine);
            if (!isSame || before.isEmpty() || now.isEmpty()) {
                return this;
            }
            String seeds = earlier.seed + ", " + seed;
            String sum = Long.toString(Long.parseLong(earlier.seconds) + Long.parseLong(seconds));
            return new Result(trial, before.add(now).toString(), seeds, sum, date, commit, machine);
        }
    }

    Results(Path folder) {
        json = Folders.create(folder).resolve("reliability.json");
        page = folder.resolve("reliability.md");
        if (Files.exists(json)) {
            AllResults all = RecordJson.read(json, "results of trials", AllResults.class);
            all.trials.forEach(result -> results.put(result.trial, result));
        }
    }

    /// Rewrites both files. A machine that cannot run a trial leaves the result of another one.
    void put(Trial trial, String figures, long seed, long seconds) {
        Result earlier = results.get(trial.name());
        if (earlier == null || !figures.startsWith(NOT_RUN)) {
            Machine machine = Machine.ofThis();
            String commit = String.valueOf(Identity.of(Results.class).commit());
            Result result = new Result(
                    trial.name(),
                    figures,
                    Long.toString(seed),
                    Long.toString(seconds),
                    LocalDate.now(ZoneOffset.UTC).toString(),
                    commit.substring(0, Math.min(SHORT_COMMIT, commit.length())),
                    machine.cores() + " cores of " + machine.cpu() + ", " + machine.memoryBytes() / GIB + " GiB, "
                            + machine.kernel());
            results.put(trial.name(), earlier == null ? result : result.after(earlier));
        }
        Folders.write(json, RecordJson.write(new AllResults(List.copyOf(results.values()))));
        Folders.write(page, page());
    }

    private String page() {
        StringBuilder text = new StringBuilder(HEAD);
        for (Row row : Row.ALL) {
            String begin = "| " + row.number() + " | " + row.fault() + " | ";
            if (row.trials().isEmpty()) {
                text.append(begin + row.promise() + " | not run here | " + row.elsewhere() + " |\n");
            }
            for (Trial trial : row.trials()) {
                Result result = results.get(trial.name());
                String figures = result == null ? "not run yet" : result.figures;
                text.append(begin + trial.promise() + " | `" + trial.name() + "` | " + figures + " |\n");
                begin = "|  |  | ";
            }
        }
        text.append("\n## Runs\n\n");
        results.values().stream()
                .filter(result -> !result.figures.startsWith(NOT_RUN))
                .collect(Collectors.groupingBy(
                        result -> result.date + ", commit " + result.commit + ", " + result.machine,
                        LinkedHashMap::new,
                        Collectors.mapping(result -> "`" + result.trial + "`", Collectors.joining(", "))))
                .forEach((origin, runs) -> text.append("- " + origin + ": " + runs + "\n"));
        return text.toString();
    }
}
