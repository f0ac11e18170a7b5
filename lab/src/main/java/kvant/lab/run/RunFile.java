package kvant.lab.run;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import kvant.lab.LabException;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.ExperimentText;
import kvant.lab.experiment.Phase;
import kvant.lab.experiment.Published;
import kvant.lab.experiment.Question;
import kvant.lab.experiment.Server;
import kvant.lab.experiment.Variant;
import kvant.lab.report.Json;
import kvant.lab.yaml.JsonFile;
import org.jspecify.annotations.Nullable;

/// run.json: what was run where, and how far it is. docs/experiments.md has the schema.
final class RunFile {

    static final String NAME = "run.json";
    private static final String SCHEMA = "kvant-lab/1";
    private static final int LONGEST = 16 << 20;

    private final Json json = new Json();

    private RunFile() {}

    static void write(Path folder, RunRequest request, Machine machine, RunState state) {
        Folders.write(folder.resolve(NAME), text(request, machine, state));
    }

    static String text(RunRequest request, Machine machine, RunState state) {
        RunFile own = new RunFile();
        own.json.open().put("schema", SCHEMA);
        own.experiment(state.experiment());
        String reason = state.partialReason();
        own.json
                .put("command", request.command())
                .put("startedAt", state.startedAt())
                .put("endedAt", Instant.now().toString())
                .put("status", reason.isEmpty() ? "complete" : "partial")
                .put("partialReason", reason);
        own.where(machine, request.identity());
        own.json.openList("variants");
        state.experiment().variants().forEach(own::variant);
        own.json.closeList().openList("phases");
        state.experiment().phases().forEach(own::phase);
        own.json.closeList().openList("steps");
        state.steps().forEach(own::step);
        own.json.closeList();
        own.remarks(state);
        own.json.close();
        return own.json.toString();
    }

    private void experiment(Experiment experiment) {
        json.open("experiment")
                .put("letter", experiment.letter())
                .put("name", experiment.name())
                .put("title", experiment.title())
                .put("titleRu", experiment.titleRu())
                .put("description", experiment.description())
                .put("scale", experiment.scale().key())
                .put("repeats", experiment.repeats());
        json.openList("questions");
        for (Question question : experiment.questions()) {
            json.open().put("id", question.id()).put("text", question.text()).put("textRu", question.textRu());
            texts("compare", question.compare());
            json.put("phase", question.phase()).put("metric", question.metric()).close();
        }
        json.closeList();
        if (experiment.objective() == null) {
            json.put("objective", Double.NaN); // null
        } else {
            json.open("objective")
                    .put("percentile", experiment.objective().percentile())
                    .put("nanos", experiment.objective().limitNanos())
                    .close();
        }
        json.openList("published");
        experiment.published().forEach(this::published);
        json.closeList().close();
    }

    private void published(Published figures) {
        json.open()
                .put("variant", figures.variant())
                .put("phase", figures.phase())
                .open("percentiles");
        figures.millis().forEach((percentile, millis) -> json.put(ExperimentText.percentile(percentile), millis));
        json.close().put("note", figures.note()).close();
    }

    private void where(Machine machine, Identity identity) {
        json.open("machine")
                .put("cores", machine.cores())
                .put("cpu", machine.cpu())
                .put("memoryBytes", machine.memoryBytes())
                .put("kernel", machine.kernel())
                .put("os", machine.os())
                .put("jvm", machine.jvm())
                .close();
        json.open("kvant").put("version", identity.version());
        if (identity.commit().isEmpty()) {
            json.put("commit", Double.NaN); // null
        } else {
            json.put("commit", identity.commit());
        }
        json.put("changed", identity.changed()).close();
    }

    private void variant(Variant variant) {
        json.open().put("name", variant.name()).put("title", variant.title());
        switch (variant.server()) {
            case Server.Kvant node -> {
                List<String> command = new ArrayList<>(List.of("kvant", "serve"));
                command.addAll(node.arguments());
                texts("command", command);
                json.put("kind", "kvant").put("connections", variant.connections());
                json.open("options");
                node.flags().forEach(json::put);
                json.close();
            }
            case Server.External external -> {
                texts("command", external.command());
                json.put("kind", "external").put("connections", variant.connections());
                json.open("options").close();
            }
        }
        texts("jvm", variant.server().jvm());
        json.close();
    }

    private void phase(Phase phase) {
        boolean auto = phase.pace().warmup().auto();
        json.open()
                .put("name", phase.name())
                .put("workload", phase.workload().name())
                .put("rate", phase.pace().isClosed() ? Double.NaN : phase.pace().rate())
                .put("durationNanos", phase.pace().duration().toNanos())
                .put("connections", phase.clients().connections())
                .put("threads", phase.clients().threads())
                .put("depth", phase.clients().depth())
                .put("prefill", phase.prefill())
                .put("keys", phase.workload().keys())
                .put("values", phase.workload().values().text())
                .put("warmup", auto ? "auto" : phase.pace().warmup().limit().toMillis() + "ms")
                .close();
    }

    private void step(StepResult result) {
        json.open()
                .put("id", result.step().id())
                .put("variant", result.step().variant())
                .put("phase", result.step().phase())
                .put("repeat", result.step().repeat())
                .put("profiled", result.step().profiled())
                .put("status", result.status().name().toLowerCase(Locale.ROOT))
                .put("reason", result.reason())
                .put("startedAt", result.startedAt());
        ProcessFigures process = result.process();
        json.open("process")
                .put("pid", process.pid())
                .put("cpuNanos", process.cpuNanos())
                .put("maxRssBytes", process.maxRssBytes())
                .put("answered", process.answered())
                .put("gcPauseNanos", process.gcPauseNanos())
                .put("gcCount", process.gcCount())
                .put("allocatedBytes", process.allocatedBytes())
                .close();
        json.put("p99Nanos", result.p99Nanos()).put("generatorBusy", result.generatorBusy());
        json.open("files");
        result.files().forEach(json::put);
        json.close().close();
    }

    private void remarks(RunState state) {
        json.openList("missing");
        for (Missing one : state.missing()) {
            json.open().put("what", one.what()).put("why", one.why()).close();
        }
        json.closeList();
        texts("warnings", state.warnings());
        json.open("cost")
                .put("generatorBusiest", state.generatorBusiest())
                .put(
                        "profilerCpuRatio",
                        state.profilerRatio(one -> one.process().cpuNanosPerRequest()))
                .put("profilerP99Ratio", state.profilerRatio(StepResult::p99Nanos))
                .close();
    }

    private void texts(String name, List<String> texts) {
        json.openList(name);
        texts.forEach(json::add);
        json.closeList();
    }

    /// How far a run came that was broken off. What cannot be read of it is run again.
    ///
    /// @throws LabException where there is no such run
    static RunState read(Path folder, Experiment experiment) {
        Map<?, ?> root = root(folder);
        if (!SCHEMA.equals(root.get("schema"))) {
            throw new LabException(folder.resolve(NAME) + " is not of the schema " + SCHEMA);
        }
        List<String> warnings = new ArrayList<>();
        if (root.get("warnings") instanceof List<?> list) {
            list.forEach(one -> warnings.add(String.valueOf(one)));
        }
        RunState state = new RunState(experiment, String.valueOf(root.get("startedAt")), warnings);
        if (root.get("missing") instanceof List<?> list) {
            for (Object one : list) {
                if (one instanceof Map<?, ?> map
                        && !String.valueOf(map.get("what")).startsWith(RunState.AGAIN)) {
                    state.missing(String.valueOf(map.get("what")), String.valueOf(map.get("why")));
                }
            }
        }
        restoreSteps(root, state);
        return state;
    }

    /// What a person types to repeat it.
    static String readCommand(Path folder) {
        return root(folder).get("command") instanceof String command ? command : "";
    }

    /// Which Kvant wrote it.
    static Optional<Identity> readIdentity(Path folder) {
        if (!(root(folder).get("kvant") instanceof Map<?, ?> kvant)) {
            return Optional.empty();
        }
        boolean changed = Boolean.TRUE.equals(kvant.get("changed"));
        String commit = kvant.get("commit") == null ? "" : String.valueOf(kvant.get("commit"));
        return Optional.of(new Identity(String.valueOf(kvant.get("version")), commit, changed));
    }

    private static void restoreSteps(Map<?, ?> root, RunState state) {
        if (root.get("steps") instanceof List<?> list) {
            Map<String, StepResult> planned = new LinkedHashMap<>();
            state.steps().forEach(one -> planned.put(one.step().id(), one));
            for (Object one : list) {
                if (one instanceof Map<?, ?> map && "done".equals(map.get("status"))) {
                    @Nullable StepResult own = planned.get(String.valueOf(map.get("id")));
                    if (own != null) {
                        state.put(done(own, map));
                    }
                }
            }
        }
    }

    private static StepResult done(StepResult planned, Map<?, ?> map) {
        Map<?, ?> process = map.get("process") instanceof Map<?, ?> found ? found : Map.of();
        Map<String, String> files = new LinkedHashMap<>();
        if (map.get("files") instanceof Map<?, ?> found) {
            found.forEach((key, value) -> files.put(String.valueOf(key), String.valueOf(value)));
        }
        return new StepResult(
                planned.step(),
                StepResult.Status.DONE,
                "",
                String.valueOf(map.get("startedAt")),
                new ProcessFigures(
                        (long) number(process, "pid"),
                        (long) number(process, "cpuNanos"),
                        (long) number(process, "maxRssBytes"),
                        (long) number(process, "answered"),
                        (long) number(process, "gcPauseNanos"),
                        (long) number(process, "gcCount"),
                        (long) number(process, "allocatedBytes")),
                (long) number(map, "p99Nanos"),
                number(map, "generatorBusy"),
                files);
    }

    private static double number(Map<?, ?> map, String key) {
        return map.get(key) instanceof Number number ? number.doubleValue() : 0;
    }

    private static Map<?, ?> root(Path folder) {
        return JsonFile.read(folder.resolve(NAME), "the record of a run", LONGEST);
    }
}
