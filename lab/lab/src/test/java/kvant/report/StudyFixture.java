package kvant.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import kvant.text.Json;

/// A folder of synthetic results.
public final class StudyFixture {

    private final Path folder;
    private final Map<String, Integer> variants = new LinkedHashMap<>();
    private final Map<String, List<String>> loads = new LinkedHashMap<>();
    private final List<String> phases = new ArrayList<>();
    private final List<Consumer<Json>> questions = new ArrayList<>();
    private final List<Consumer<Json>> published = new ArrayList<>();
    private final List<Consumer<Json>> steps = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private String title = "Async or sync?";
    private String partialReason = "";
    private double objectiveNanos;
    private boolean untilDecided;
    private int rounds;
    private final Map<Integer, Double> looks = new TreeMap<>();
    private boolean interleaved;
    private double disturbedAbove = Double.NaN;

    public StudyFixture(Path folder) {
        this.folder = folder;
    }

    public Path folder() {
        return folder;
    }

    public StudyFixture title(String other) {
        title = other;
        return this;
    }

    public StudyFixture variant(String name) {
        return variant(name, 64);
    }

    public StudyFixture variant(String name, int connections) {
        variants.put(name, connections);
        return this;
    }

    /// Of a variant that gets these loads alone.
    public StudyFixture onlyGets(String variant, String... names) {
        loads.put(variant, List.of(names));
        return this;
    }

    public StudyFixture phase(String name) {
        phases.add(name);
        return this;
    }

    public StudyFixture objective(double millis) {
        objectiveNanos = millis * 1e6;
        return this;
    }

    public StudyFixture untilDecided() {
        untilDecided = true;
        return this;
    }

    /// A look of such a run; where there is none, it looked after each block of a time that suffices for its rounds.
    public StudyFixture looked(int repeat, double spent) {
        looks.put(repeat, spent);
        return this;
    }

    /// Rounds in which variants take turns of a second.
    public StudyFixture interleaved() {
        interleaved = true;
        return this;
    }

    /// Share of the processors above which blocks are left out.
    public StudyFixture disturbedAbove(double share) {
        disturbedAbove = share;
        return this;
    }

    public StudyFixture warning(String text) {
        warnings.add(text);
        return this;
    }

    public StudyFixture partial(String reason) {
        partialReason = reason;
        return this;
    }

    public StudyFixture question(String text, String textRu, String phase, String metric, String... compare) {
        String id = "question-" + (questions.size() + 1);
        questions.add(json -> {
            json.open()
                    .put("id", id)
                    .put("text", text)
                    .put("textRu", textRu)
                    .put("phase", phase)
                    .put("metric", metric)
                    .openList("compare");
            List.of(compare).forEach(json::add);
            json.closeList().close();
        });
        return this;
    }

    public StudyFixture published(String variant, String phase, double p50, double p99, double max) {
        published.add(json -> json.open()
                .put("variant", variant)
                .put("phase", phase)
                .put("note", "another machine")
                .put("noteRu", "другая машина")
                .open("percentiles")
                .put("50", p50)
                .put("99", p99)
                .put("100", max)
                .close()
                .close());
        return this;
    }

    public String id(String variant, String phase, int repeat) {
        return String.format("%02d-%s-%s", repeat, variant, phase);
    }

    /// A step that was measured.
    public StudyFixture step(String variant, String phase, int repeat, SyntheticLoad load) throws IOException {
        String id = id(variant, phase, repeat);
        write("runs/" + id + "/load.json", load.json());
        return step(id, variant, phase, repeat, "done", "", load.medianMillis());
    }

    /// A step that was not.
    public StudyFixture step(String variant, String phase, int repeat, String status, String reason) {
        return step(id(variant, phase, repeat), variant, phase, repeat, status, reason, 0);
    }

    private StudyFixture step(
            String id, String variant, String phase, int repeat, String status, String reason, double weight) {
        rounds = Math.max(rounds, repeat);
        steps.add(json -> json.open()
                .put("id", id)
                .put("variant", variant)
                .put("phase", phase)
                .put("repeat", repeat)
                .put("profiled", false)
                .put("status", status)
                .put("reason", reason)
                .open("process")
                .put("pid", 1)
                .put("cpuNanos", 4000 * 20_000.0 * (1 + weight / 100 + repeat / 500.0))
                .put("maxRssBytes", (300L + repeat) << 20)
                .put("answered", 4000)
                .put("gcPauseNanos", 12_000_000L * repeat)
                .put("gcCount", 3)
                .put("allocatedBytes", variant.equals("sync") ? 0 : 4000 * 1536)
                .put("userProcessors", 0.5)
                .close()
                .open("files")
                .put("load", "runs/" + id + "/load.json")
                .close()
                .close());
        return this;
    }

    public void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    public StudyFixture samples(String variant, String phase, int repeat) throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i <= 12; i++) {
            rows.append(i == 0 ? "" : ",")
                    .append("[" + i * 1_000_000_000L + "," + i * (900_000_000L + 40_000_000L * (i % 3)) + ","
                            + ((250L + 4 * i) << 20) + ",0,0]");
        }
        write("runs/" + id(variant, phase, repeat) + "/samples.json", """
                {"columns": ["fromNanos","cpuNanos","rssBytes","readBytes","writtenBytes"], "originEpochNanos": 0,
                 "samples": [%s],
                 "events": [{"kind": "flush", "fromNanos": 2100000000, "toNanos": 2600000000, "detail": "4 MB"},
                            {"kind": "compaction", "fromNanos": 5000000000, "toNanos": 7900000000, "detail": "L0"},
                            {"kind": "gc", "fromNanos": 3000000000, "toNanos": 3012000000, "detail": "young"},
                            {"kind": "gc", "fromNanos": 9000000000, "toNanos": 9020000000, "detail": "young"}]}
                """.formatted(rows));
        return this;
    }

    public StudyFixture tail(String variant, String phase, int repeat, double share) throws IOException {
        write("runs/" + id(variant, phase, repeat) + "/tail.json", """
                {"schema": "kvant-tail/1", "attributedShare": %s, "bands": [
                  {"from": 99.9, "to": 99.99, "requests": 40, "meanNanos": 9000000, "parts": {"generator": 300000,
                   "kernel": 700000, "queue": 4000000, "executor": 500000, "groupCommit": 1500000, "sync": 1600000,
                   "gc": 200000, "unknown": 200000}, "meanwhile": {"flush": 4500000, "compaction": 0}},
                  {"from": 99.99, "to": 100, "requests": 5, "meanNanos": 21000000, "parts": {"kernel": 900000,
                   "queue": 9000000, "stall": 6100000, "sync": 3000000, "gc": 1500000, "safepoint": 300000,
                   "unknown": 200000}}], "notes": []}
                """.formatted(share));
        return this;
    }

    public StudyFixture profile(String variant, String phase) throws IOException {
        String name = "profiles/" + variant + "-" + phase + "/";
        write(name + "cpu.html", "<!doctype html><title>flames</title><p>flames of " + variant);
        write(name + "slow.html", "<!doctype html><title>flames</title><p>slow ones");
        write(name + "profile.json", """
                {"events": [
                  {"event": "cpu", "engine": "perf_events", "samples": 20000, "html": "cpu.html", "top": []},
                  {"event": "alloc", "engine": "tlab", "samples": 1, "html": "../../run.json", "top": []}],
                 "slow": {"event": "cpu", "requests": 12, "samples": 40, "html": "slow.html"},
                 "missing": [{"what": "lock", "why": "nobody waited"}]}
                """);
        return this;
    }

    public StudyFixture difference(String a, String b, String phase) throws IOException {
        write("profiles/diff-" + a + "-" + b + "-" + phase + "-cpu.html", "<!doctype html><title>difference</title>");
        write("profiles/diff-" + a + "-" + b + "-" + phase + "-cpu.json", """
                {"event": "cpu", "a": "%s", "b": "%s", "frames": [
                  {"frame": "java/lang/Thread.run", "a": 0.2, "b": 0.6, "delta": 0.4},
                  {"frame": "java/util/concurrent/LinkedBlockingQueue.take", "a": 0.001, "b": 0.09, "delta": 0.089},
                  {"frame": "kvant/server/http/ResponseWriter.write", "a": 0.13, "b": 0.11, "delta": -0.02}]}
                """.formatted(a, b));
        return this;
    }

    /// Writes `run.json`.
    public Path write() throws IOException {
        Json json = new Json().open().put("schema", "kvant-lab/1").put("later", "unknown members are passed over");
        experiment(json);
        json.put("command", "kvant lab run E --quick")
                .put("startedAt", "2026-01-02T03:04:05.123Z")
                .put("endedAt", "2026-01-02T03:14:05Z")
                .put("status", partialReason.isEmpty() ? "complete" : "partial")
                .put("partialReason", partialReason);
        json.open("machine")
                .put("cores", 2)
                .put("cpu", "A processor")
                .put("memoryBytes", 8L << 30)
                .put("kernel", "Linux 6.1")
                .put("os", "Debian")
                .put("jvm", "OpenJDK 25")
                .close();
        json.open("kvant")
                .put("version", "0.1.0")
                .put("commit", "0123456789abcdef")
                .put("changed", true)
                .close();
        json.openList("variants");
        variants.forEach((name, connections) -> {
            json.open()
                    .put("name", name)
                    .put("title", "the " + name + " way")
                    .put("titleRu", "способ " + name)
                    .put("kind", "kvant");
            json.openList("command");
            List.of("kvant", "serve", "--executor", name).forEach(json::add);
            json.closeList().openList("jvm");
            List.of("-Xmx256m", "-XX:+UseSerialGC").forEach(json::add);
            json.closeList().openList("phases");
            loads.getOrDefault(name, List.of()).forEach(json::add);
            json.closeList().put("version", "1.2-" + name);
            json.put("connections", connections).open("options").close();
            json.close();
        });
        json.closeList().openList("phases");
        phases.forEach(phase -> json.open()
                .put("name", phase)
                .put("workload", phase)
                .put("rate", 400)
                .put("durationNanos", 12_000_000_000L)
                .put("connections", 64)
                .put("threads", 1)
                .put("warmup", "auto")
                .close());
        json.closeList().openList("steps");
        steps.forEach(step -> step.accept(json));
        json.closeList().openList("missing").closeList().openList("warnings");
        warnings.forEach(json::add);
        json.closeList();
        json.open("cost")
                .put("generatorBusiest", 0.31)
                .put("profilerCpuRatio", 1.04)
                .put("profilerP99Ratio", 1.1)
                .close();
        write("run.json", json.close().toString());
        return folder;
    }

    private static void look(Json json, int repeat, double spent) {
        json.open().put("repeat", repeat).put("spent", spent).close();
    }

    private static void source(Json json) {
        json.open("source")
                .put("title", "Two ways")
                .put("titleRu", "Два способа")
                .put("course", "highload")
                .put("year", "2020")
                .put("stage", "3")
                .openList("links");
        json.add("example.org/reports");
        json.closeList().close();
    }

    private void experiment(Json json) {
        json.open("experiment")
                .put("name", "E")
                .put("title", title)
                .put("titleRu", title.equals("Async or sync?") ? "Async или sync?" : "")
                .put("description", "Both ways of running requests, side by side.")
                .put("descriptionRu", "Оба способа выполнять запросы, рядом.")
                .put("scale", "quick")
                .put("disturbedAbove", disturbedAbove)
                .put("interleavedNanos", interleaved ? 1_000_000_000L : 0L);
        source(json);
        if (untilDecided) {
            json.open("untilDecided").put("atMostNanos", 60_000_000_000L).openList("looks");
            for (int repeat = 2; repeat <= rounds && looks.isEmpty(); repeat += 2) {
                look(json, repeat, repeat / (double) rounds);
            }
            looks.forEach((repeat, spent) -> look(json, repeat, spent));
            json.closeList().close();
        }
        json.openList("questions");
        questions.forEach(question -> question.accept(json));
        json.closeList();
        if (objectiveNanos > 0) {
            json.open("objective")
                    .put("percentile", 99.0)
                    .put("nanos", objectiveNanos)
                    .close();
        }
        json.openList("published");
        published.forEach(one -> one.accept(json));
        json.closeList().close();
    }

    /// Three rounds of two variants and a third that fails, with everything that a report can have.
    public static StudyFixture rich(Path folder) throws IOException {
        StudyFixture fixture = new StudyFixture(folder)
                .variant("sync", 64)
                .variant("async", 64)
                .variant("adaptive", 64)
                .variant("broken", 64)
                .phase("put")
                .phase("get")
                .objective(6)
                .warning("variant async: a queue of 1024 can never fill with 64 connections of depth 1")
                .question(
                        "Is async better than sync for puts?",
                        "Лучше ли async, чем sync, для записи?",
                        "put",
                        "p99",
                        "sync",
                        "async")
                .question(
                        "Does adaptive cost anything for gets?",
                        "Стоит ли adaptive чего-нибудь при чтении?",
                        "get",
                        "p50",
                        "sync",
                        "adaptive")
                .question(
                        "Does anything of that depend on the phase?",
                        "Зависит ли это от фазы?",
                        "",
                        "mean",
                        "sync",
                        "async",
                        "broken")
                .published("sync", "put", 1.34, 2.98, 195.7)
                .published("async", "put", 1.6, 700, 1200);
        for (int round = 1; round <= 3; round++) {
            double mood = 1 + 0.2 * round; // of the machine: the same for all
            for (String phase : List.of("put", "get")) {
                fixture.step("sync", phase, round, SyntheticLoad.of(1.2 * mood, 10 + round))
                        .step(
                                "async",
                                phase,
                                round,
                                SyntheticLoad.of(1.5 * mood, 20 + round)
                                        .withFailures(phase.equals("put") ? 0.01 : 0, 3))
                        .step(
                                "adaptive",
                                phase,
                                round,
                                SyntheticLoad.of(1.2 * mood, 30 + round).withLag(round == 2 ? 0.8 : 0.01))
                        .step("broken", phase, round, "failed", "the server ended with code 1 before it answered");
            }
            fixture.tail("sync", "put", round, 0.97).tail("async", "put", round, 0.93);
        }
        for (String variant : List.of("sync", "async")) {
            for (int round = 1; round <= 3; round++) {
                fixture.samples(variant, "put", round);
            }
            fixture.profile(variant, "put");
        }
        fixture.difference("sync", "async", "put");
        return fixture;
    }
}
