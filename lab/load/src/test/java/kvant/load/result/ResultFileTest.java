package kvant.load.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import kvant.load.host.HostFacts;
import kvant.load.record.Failure;
import kvant.load.record.Window;
import kvant.load.run.Validity;
import kvant.load.workload.Operation;
import kvant.text.JsonFile;
import kvant.text.JsonValue;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A result is read as it was written, all of it.
class ResultFileTest {

    /// Makes a record of any type, every member at random; a new member is tested without a change here.
    private record Made(Random random) {

        Object of(Type type) throws ReflectiveOperationException {
            if (type == Distribution.class) {
                return distribution();
            }
            if (type instanceof ParameterizedType generic) {
                return container(generic);
            }
            Class<?> plain = (Class<?>) type;
            if (plain.isRecord()) {
                return ofRecord(plain);
            }
            if (plain.isEnum()) {
                return plain.getEnumConstants()[random.nextInt(plain.getEnumConstants().length)];
            }
            return switch (plain.getSimpleName()) {
                case "long", "Long" -> (long) random.nextInt();
                case "double", "Double" -> random.nextInt(1, 1_000_000) / 8.0; // three decimals are written
                case "boolean" -> random.nextBoolean();
                case "String" -> "\"" + Long.toString(random.nextLong(), 36) + "\n";
                default -> throw new AssertionError("no value of " + type);
            };
        }

        private Object ofRecord(Class<?> type) throws ReflectiveOperationException {
            RecordComponent[] members = type.getRecordComponents();
            Class<?>[] types =
                    Arrays.stream(members).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Object[] values = new Object[members.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = of(members[i].getGenericType());
            }
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        }

        private Object container(ParameterizedType type) throws ReflectiveOperationException {
            Type[] of = type.getActualTypeArguments();
            if (type.getRawType() == List.class) {
                return List.of(of(of[0]), of(of[0]), of(of[0]));
            }
            Map<Object, Object> map = new LinkedHashMap<>();
            Object[] keys = of[0] == Integer.class
                    ? IntStream.range(200, 210).boxed().toArray()
                    : ((Class<?>) of[0]).getEnumConstants();
            for (Object key : keys) {
                map.put(key, of[1] == Long.class ? Long.valueOf(random.nextInt(1, 1000)) : of(of[1]));
            }
            return map;
        }

        private Distribution distribution() {
            Histogram histogram = new Histogram(3);
            for (int i = 0; i < 100; i++) {
                histogram.recordValue(random.nextInt(1 << 30));
            }
            Distribution exact = Distribution.of(histogram);
            Distribution.Times times = Objects.requireNonNull(exact.times());
            return new Distribution(
                    exact.count(),
                    new Distribution.Times(
                            Math.rint(times.meanNanos()),
                            Math.rint(times.stdDeviationNanos()),
                            times.minNanos(),
                            times.maxNanos(),
                            times.percentilesNanos(),
                            times.histogram()));
        }
    }

    private static LoadResult random(long seed) throws ReflectiveOperationException {
        return (LoadResult) new Made(new Random(seed)).of(LoadResult.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyMemberIsReadAsItWasWritten(long seed) throws ReflectiveOperationException {
        LoadResult result = random(seed);

        assertThat(ResultFile.read(ResultFile.text(result), "r.json")).isEqualTo(result);
    }

    @Test
    void whatALaterVersionAddsIsPassedOver() throws ReflectiveOperationException {
        LoadResult result = random(1);
        String later = ResultFile.text(result)
                .replace("\"schema\"", "\"news\": {\"a\": [1]}, \"schema\"")
                .replace("\"statuses\": {", "\"statuses\": {\"what\": 3,");

        assertThat(ResultFile.read(later, "r.json")).isEqualTo(result);
    }

    @Test
    void columnsAreFoundByTheirNames() {
        String text = "{\"schema\": \"kvant-load/1\", \"requests\": {\"due\": 3, \"errors\": 2},"
                + " \"windowColumns\": [\"x\", \"errors\", \"completed\"], \"windows\": [[1, 2, 3]]}";

        assertThat(ResultFile.read(text, "r.json").typedWindows())
                .singleElement()
                .satisfies(window -> {
                    assertThat(window.completed()).isEqualTo(3);
                    assertThat(window.errors()).isEqualTo(2);
                    assertThat(window.maxNanos()).isZero();
                });
    }

    @Test
    void percentilesOfAWindowWithoutRequestsAreNull() throws ReflectiveOperationException {
        LoadResult some = random(1);
        Window nothing = new Window(5, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        String text = ResultFile.text(new LoadResult(
                some.asked(),
                some.startedAt(),
                some.elapsedNanos(),
                some.complete(),
                some.partial(),
                some.validity(),
                some.validityReason(),
                some.achievedRate(),
                some.warmup(),
                some.generator(),
                some.host(),
                some.requests(),
                some.statuses(),
                some.connections(),
                some.keys(),
                some.latency(),
                some.operations(),
                Window.COLUMNS,
                List.of(nothing.row()),
                some.blocks()));

        assertThat(text.replaceAll("\\s", "")).contains("[5,1000,0,0,null,null,null,null,null,null,null,0,0]");
        assertThat(ResultFile.read(text, "r.json").typedWindows()).containsExactly(nothing);
    }

    @Test
    void aFileFromBeforeAnswersWereCountedHasItsCompletions() {
        String text = "{\"schema\": \"kvant-load/1\", \"requests\": {\"due\": 3, \"errors\": 2},"
                + " \"windowColumns\": [\"lengthNanos\", \"completed\"], \"windows\": [[1000000000, 7]]}";

        assertThat(ResultFile.read(text, "r.json").typedWindows().getFirst().rate())
                .isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"due", "errors"})
    void aCountThatDecidesAndIsMissingIsNamed(String name) throws ReflectiveOperationException {
        JsonValue whole = new JsonValue(JsonFile.object(ResultFile.text(random(1)), "r.json", "a result"));
        String count = "\"" + name + "\": " + whole.at("requests").at(name).whole();

        for (String other : new String[] {"\"other\": 1", "\"" + name + "\": null", "\"" + name + "\": \"7\""}) {
            String text = ResultFile.text(random(1)).replace(count, other);
            assertThatThrownBy(() -> ResultFile.read(text, "r.json"))
                    .isInstanceOf(UserException.class)
                    .hasMessage("r.json: 'requests." + name + "' is missing");
        }
    }

    @Test
    void aGradeThatIsNotKnownIsInvalid() throws ReflectiveOperationException {
        String later = ResultFile.text(random(1)).replaceFirst("\"validity\": \"\\w+\"", "\"validity\": \"superb\"");

        assertThat(ResultFile.read(later, "r.json").validity()).isEqualTo(Validity.Grade.INVALID);
    }

    /// Results that version 0.2 wrote, of an open run with keys and of a closed one without, before records were bound
    /// to their files: they are read, and would be written as they were.
    @ParameterizedTest
    @ValueSource(strings = {"open.json", "closed.json"})
    void aGoldenFileIsReadAndWrittenAsItIs(String name) throws IOException {
        String golden = golden(name);

        assertThat(ResultFile.text(ResultFile.read(golden, name))).isEqualTo(golden);
    }

    @Test
    void whatAGoldenFileSaysIsUnderstood() throws IOException {
        LoadResult open = ResultFile.read(golden("open.json"), "open.json");
        LoadResult closed = ResultFile.read(golden("closed.json"), "closed.json");

        assertThat(open.validity()).isEqualTo(Validity.Grade.INVALID);
        assertThat(open.requests().failed()).containsEntry(Failure.TIMEOUT, 0L);
        assertThat(open.statuses()).containsOnlyKeys(200, 503);
        assertThat(open.operations()).containsOnlyKeys(Operation.PUT, Operation.SCAN);
        assertThat(open.latency().response().histogram().getTotalCount()).isEqualTo(400);
        assertThat(open.typedWindows()).hasSize(6);
        assertThat(closed.asked().pace().isClosed()).isTrue();
        assertThat(closed.asked().workload().method()).isEqualTo("GET");
        assertThat(closed.asked().workload().keyed()).isNull();
        assertThat(closed.latency().punctual()).isNull();
        assertThat(closed.decodedBlocks()).isNotEmpty();
    }

    /// As a file from before dialects, the lengths of scans, the machine, lateness and answers were written.
    @Test
    void anOlderFileLacksMembersAndIsRead() throws IOException {
        String older = golden("open.json")
                .replaceAll("(?m)^.*\"(dialect|mostScanned|complete|address|distinctAsked)\".*\n", "")
                .replaceAll("(?s)\"host\": \\{.*?\\},", "")
                .replaceAll("(?s)\"punctual\": \\{.*?\\}.*?\\},", "");
        LoadResult result = ResultFile.read(older, "older.json");

        assertThat(result.asked().workload().dialect()).isEmpty();
        assertThat(result.asked().workload().keyed().mostScanned()).isNull();
        assertThat(result.isComplete()).isTrue();
        assertThat(result.host()).isEqualTo(HostFacts.UNKNOWN);
        assertThat(result.latency().punctual()).isNull();
        assertThat(result.connections().address()).isEmpty();
        assertThat(result.requests().due()).isEqualTo(400);
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = ResultFileTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void anotherSchemaIsRefused() {
        assertThatThrownBy(() -> ResultFile.read("{\"schema\": \"kvant-load/2\"}", "r.json"))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("r.json is not a result");
    }
}
