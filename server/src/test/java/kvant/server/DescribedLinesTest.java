package kvant.server;

import static kvant.server.NodeHarness.batch;
import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Answers of many lines and events: each is one of those that the description of the API has.
class DescribedLinesTest {

    private static final String CHANGES = "/v0/changes";
    private static final String ENTITIES = "/v0/entities";
    private static final String LINES = "application/x-ndjson";
    private static final String EVENTS = "text/event-stream";

    private final ApiSchema api = new ApiSchema();

    @TempDir
    Path directory = Path.of("");

    private ChangesHarness harness(Durability durability, UnaryOperator<NodeOptions> change) {
        LsmOptions store = LsmOptions.defaults().with(o -> {
            o.headroomBytes = 0;
            o.durability = durability;
        });
        return new ChangesHarness(directory.resolve("data"), store, change);
    }

    /// The one kind that each line is.
    private List<String> kinds(String path, String text) {
        List<String> kinds = new ArrayList<>();
        text.lines().forEach(line -> {
            List<String> ofLine = api.kinds(api.ofItems(path, LINES), line);
            assertThat(ofLine).as(line).hasSize(1);
            kinds.addAll(ofLine);
        });
        return kinds;
    }

    /// Fields of events, as the standard of server-sent events reads them: those of one line each.
    private static List<Map<String, String>> events(String text) {
        List<Map<String, String>> events = new ArrayList<>();
        for (String block : text.strip().split("\n\n")) {
            Map<String, String> fields = new LinkedHashMap<>();
            block.lines().forEach(line -> {
                String[] field = line.split(": ", 2);
                assertThat(fields.put(field[0], field[1])).as(line).isNull();
            });
            events.add(fields);
        }
        return events;
    }

    private static void write(ChangesHarness harness) throws Exception {
        harness.exchange(put("a", "one"));
        harness.exchange(batch("put 1 3\nbtwo\nput 1 2 60\ncxx\ndelete 1\na\n"));
    }

    @Test
    void eachLineOfTheChangesIsDescribed() throws Exception {
        try (ChangesHarness harness = harness(
                new Durability.Always(), options -> options.with(o -> o.maxFollowLife = Duration.ofSeconds(1)))) {
            write(harness);
            String told = harness.read("from=0").text();
            assertThat(kinds(CHANGES, told))
                    .containsExactly("ChangePut", "ChangePut", "ChangePut", "ChangeDelete", "ChangesComplete");
            assertThat(told).contains("\"more\":true").contains("\"expires\":");
            assertThat(kinds(CHANGES, harness.read("from=now&wait=3").text()))
                    .startsWith("ChangesMark")
                    .endsWith("ChangesIncomplete");
        }
    }

    @Test
    void eachEventIsDescribed() throws Exception {
        Map<?, ?> described = api.ofItems(CHANGES, EVENTS);
        try (ChangesHarness harness = harness(new Durability.Always(), options -> options)) {
            write(harness);
            String told = harness.read("from=0&format=sse").text()
                    + harness.read("from=now&wait=1&format=sse").text();
            assertThat(events(told))
                    .hasSizeGreaterThanOrEqualTo(7)
                    .allSatisfy(event -> assertThat(api.holds(described, event)).isTrue())
                    .anySatisfy(event -> assertThat(event).containsEntry("event", "mark"))
                    .anySatisfy(event -> assertThat(event).containsEntry("event", "end"));
        }
    }

    /// Writes that reads see before the feed may have them.
    @Test
    void whatIsVisibleIsDescribed() throws Exception {
        try (ChangesHarness harness = harness(new Durability.Interval(Durability.LONGEST), options -> options)) {
            write(harness);
            String told = harness.read("from=now&wait=1").text();
            assertThat(told).contains("\"visible\":");
            assertThat(kinds(CHANGES, told)).startsWith("ChangesMark").endsWith("ChangesComplete");
        }
    }

    @Test
    void eachLineOfARangeIsDescribed() throws Exception {
        String range = "GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\nAccept: application/x-ndjson\r\n\r\n";
        try (ChangesHarness harness = harness(new Durability.Always(), options -> options)) {
            write(harness);
            String text = harness.exchange(range).text();
            assertThat(kinds(ENTITIES, text)).containsExactly("RangeRecord", "RangeRecord", "RangeComplete");
            assertThat(text).contains("\"expires\":");
        }
        try (NodeHarness harness = NodeHarness.sync()) {
            for (int i = 0; i < 40; i++) {
                harness.engine.load(bytes("k" + (10 + i)), new byte[10_000]); // several rounds
            }
            harness.engine.failScans(30, new EngineException.Corruption("000017.sst", 4096, "checksum"));
            assertThat(kinds(ENTITIES, harness.client().exchange(range).text()))
                    .startsWith("RangeRecord")
                    .endsWith("RangeIncomplete");
        }
    }

    @Test
    void whatTheDescriptionShowsIsAsItSays() {
        assertThat(kinds(CHANGES, api.example(CHANGES, LINES, "batch")))
                .containsExactly("ChangePut", "ChangePut", "ChangeDelete", "ChangesComplete");
        assertThat(kinds(ENTITIES, api.example(ENTITIES, LINES, "two")))
                .containsExactly("RangeRecord", "RangeRecord", "RangeComplete");
        assertThat(events(api.example(CHANGES, EVENTS, "put")))
                .hasSize(2)
                .allSatisfy(event -> assertThat(api.holds(api.ofItems(CHANGES, EVENTS), event))
                        .isTrue());
    }

    /// Else any line would be one that is described.
    @Test
    void whatIsNotDescribedIsFound() {
        for (String wrong : List.of(
                "{\"version\":1,\"key\":\"YQ==\"}",
                "{\"version\":1,\"key\":\"?\",\"value\":\"YQ==\"}",
                "{\"version\":\"1\",\"key\":\"YQ==\",\"value\":\"YQ==\"}",
                "{\"version\":1,\"key\":\"YQ==\",\"value\":\"YQ==\",\"size\":1}",
                "{\"complete\":false,\"upto\":1}",
                "{\"upto\":-1}")) {
            assertThat(api.kinds(api.ofItems(CHANGES, LINES), wrong)).as(wrong).isEmpty();
        }
    }
}
