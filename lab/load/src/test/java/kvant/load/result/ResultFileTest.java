package kvant.load.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import kvant.load.record.Window;
import kvant.load.run.Validity;
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
                case "long" -> (long) random.nextInt();
                case "double" -> random.nextInt(1, 1_000_000) / 8.0; // three decimals are written
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
            return new Distribution(
                    exact.count(),
                    Math.rint(exact.meanNanos()),
                    Math.rint(exact.stdDeviationNanos()),
                    exact.minNanos(),
                    exact.maxNanos(),
                    exact.percentilesNanos(),
                    exact.encoded());
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
                .replace("\"completed\",", "\"completed\", ")
                .replace("\"statuses\": {", "\"statuses\": {\"what\": 3,");

        assertThat(ResultFile.read(later, "r.json")).isEqualTo(result);
    }

    @Test
    void columnsAreFoundByTheirNames() {
        String text = "{\"schema\": \"kvant-load/1\", \"requests\": {\"due\": 3, \"errors\": 2},"
                + " \"windowColumns\": [\"x\", \"errors\", \"completed\"], \"windows\": [[1, 2, 3]]}";

        assertThat(ResultFile.read(text, "r.json").windows()).singleElement().satisfies(window -> {
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
                some.partial(),
                some.validity(),
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
                List.of(nothing),
                some.blocks()));

        assertThat(text.replaceAll("\\s", "")).contains("[5,1000,0,0,null,null,null,null,null,null,null,0,0]");
        assertThat(ResultFile.read(text, "r.json").windows()).containsExactly(nothing);
    }

    @Test
    void aFileFromBeforeAnswersWereCountedHasItsCompletions() {
        String text = "{\"schema\": \"kvant-load/1\", \"requests\": {\"due\": 3, \"errors\": 2},"
                + " \"windowColumns\": [\"lengthNanos\", \"completed\"], \"windows\": [[1000000000, 7]]}";

        assertThat(ResultFile.read(text, "r.json").windows().getFirst().rate()).isEqualTo(7);
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

        assertThat(ResultFile.read(later, "r.json").validity().grade()).isEqualTo(Validity.Grade.INVALID);
    }

    @Test
    void anotherSchemaIsRefused() {
        assertThatThrownBy(() -> ResultFile.read("{\"schema\": \"kvant-load/2\"}", "r.json"))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("r.json is not a result");
    }
}
