package kvant.prove;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.lab.process.Folders;
import kvant.lab.result.Identity;
import kvant.lab.result.Machine;
import kvant.prove.stage.Figures;
import kvant.text.Json;
import kvant.text.JsonValue;

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

    private final Path folder;

    /// By the name of its trial: members of the file, by name.
    private final Map<String, Map<String, String>> results = new LinkedHashMap<>();

    Results(Path folder) {
        this.folder = folder;
        if (Files.exists(json())) {
            for (JsonValue one :
                    JsonValue.read(json(), "results of trials").at("trials").list()) {
                Map<String, String> result = new LinkedHashMap<>();
                one.members().forEach((name, value) -> result.put(name, value.text()));
                results.put(result.getOrDefault("trial", ""), result);
            }
        }
    }

    private Path json() {
        return folder.resolve("reliability.json");
    }

    /// Rewrites both files. A machine that cannot run a trial leaves the result of another one.
    void put(Trial trial, String figures, long seed, long seconds) {
        Map<String, String> earlier = results.getOrDefault(trial.name(), Map.of());
        if (!figures.startsWith(NOT_RUN) || earlier.isEmpty()) {
            Machine machine = Machine.ofThis();
            String commit = String.valueOf(Identity.of(Results.class).commit());
            Map<String, String> result = new LinkedHashMap<>();
            result.put("trial", trial.name());
            result.put("figures", figures);
            result.put("seed", Long.toString(seed));
            result.put("seconds", Long.toString(seconds));
            result.put("date", LocalDate.now(ZoneOffset.UTC).toString());
            result.put("commit", commit.substring(0, Math.min(SHORT_COMMIT, commit.length())));
            result.put(
                    "machine",
                    machine.cores() + " cores of " + machine.cpu() + ", " + machine.memoryBytes() / GIB + " GiB, "
                            + machine.kernel());
            add(earlier, result);
            results.put(trial.name(), result);
        }
        Json json = new Json().open().openList("trials");
        for (Map<String, String> result : results.values()) {
            json.open();
            result.forEach(json::put);
            json.close();
        }
        Folders.create(folder);
        Folders.write(json(), json.closeList().close() + "\n");
        Folders.write(folder.resolve("reliability.md"), page());
    }

    /// What a trial counted in earlier runs on this commit and machine.
    private static void add(Map<String, String> earlier, Map<String, String> result) {
        Figures before = Figures.of(earlier.getOrDefault("figures", ""));
        Figures now = Figures.of(result.getOrDefault("figures", ""));
        boolean isSame =
                Stream.of("commit", "machine").allMatch(name -> Objects.equals(earlier.get(name), result.get(name)));
        if (isSame && !before.isEmpty() && !now.isEmpty()) {
            result.put("figures", before.add(now).toString());
            result.merge("seed", earlier.getOrDefault("seed", ""), (one, first) -> first + ", " + one);
            result.merge(
                    "seconds",
                    earlier.getOrDefault("seconds", "0"),
                    (one, first) -> Long.toString(Long.parseLong(one) + Long.parseLong(first)));
        }
    }

    private String page() {
        StringBuilder page = new StringBuilder(HEAD);
        for (Row row : Row.ALL) {
            List<Trial> trials = row.trials();
            String number = Integer.toString(row.number());
            if (trials.isEmpty()) {
                page.append("| %s | %s | %s | not run here | %s |%n"
                        .formatted(number, row.fault(), row.promise(), row.elsewhere()));
            }
            for (Trial trial : trials) {
                boolean first = trial.equals(trials.getFirst());
                Map<String, String> result = results.getOrDefault(trial.name(), Map.of());
                page.append("| %s | %s | %s | `%s` | %s |%n"
                        .formatted(
                                first ? number : "",
                                first ? row.fault() : "",
                                trial.promise(),
                                trial.name(),
                                result.getOrDefault("figures", "not run yet")));
            }
        }
        page.append("\n## Runs\n\n");
        results.values().stream()
                .filter(result -> !result.getOrDefault("figures", "").startsWith(NOT_RUN))
                .collect(Collectors.groupingBy(
                        result ->
                                result.get("date") + ", commit " + result.get("commit") + ", " + result.get("machine"),
                        LinkedHashMap::new,
                        Collectors.mapping(result -> "`" + result.get("trial") + "`", Collectors.joining(", "))))
                .forEach((origin, runs) -> page.append("- " + origin + ": " + runs + "\n"));
        return page.toString();
    }
}
