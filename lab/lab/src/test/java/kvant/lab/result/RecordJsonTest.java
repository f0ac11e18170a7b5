package kvant.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import kvant.lab.result.ProfileRecord.DifferenceRecord;
import kvant.lab.result.RunRecord.Missing;
import kvant.lab.result.StepRecord.ProcessFigures;
import kvant.load.result.RecordJson;
import kvant.text.JsonFile;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Written records are read back the same, in every component, and absent values are empty.
class RecordJsonTest {

    /// Gives each component another value, so that two that are mistaken for each other are seen.
    private static final class Filler {

        private int next = 1;

        Record record(Class<?> type) throws ReflectiveOperationException {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                values[i] = value(components[i].getGenericType());
            }
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return (Record) constructor.newInstance(values);
        }

        private Object value(Type type) throws ReflectiveOperationException {
            int number = next++;
            if (type instanceof ParameterizedType container) {
                Type[] of = container.getActualTypeArguments();
                return container.getRawType() == List.class ? list(of[0]) : map(of[0], of[1]);
            }
            Class<?> plain = (Class<?>) type;
            if (plain == String.class) {
                return "text " + number + " \"é\"\n";
            }
            if (plain == boolean.class) {
                return true;
            }
            if (plain == double.class || plain == Double.class) {
                return number + 0.125;
            }
            if (plain == long.class) {
                return (1L << 53) + number;
            }
            if (plain == int.class) {
                return number;
            }
            if (plain.isEnum()) {
                return plain.getEnumConstants()[plain.getEnumConstants().length - 1];
            }
            return plain.isSealed() ? new Remark.StepsFailed(number, 9, new Remark.Given("quoted")) : record(plain);
        }

        private List<Object> list(Type of) throws ReflectiveOperationException {
            List<Object> list = new ArrayList<>();
            list.add(value(of));
            list.add(value(of));
            return list;
        }

        private Map<Object, Object> map(Type key, Type of) throws ReflectiveOperationException {
            Map<Object, Object> map = new LinkedHashMap<>();
            map.put(key == Double.class ? (Object) 99.9 : "one", value(of));
            map.put(key == Double.class ? (Object) 100.0 : "other", value(of));
            return map;
        }
    }

    static Stream<Class<?>> types() {
        return Stream.concat(
                Stream.of(
                        RunRecord.class,
                        TailRecord.class,
                        ProfileRecord.class,
                        DifferenceRecord.class,
                        SamplesRecord.class),
                Stream.of(Remark.class.getPermittedSubclasses()));
    }

    @ParameterizedTest
    @MethodSource("types")
    void whatIsWrittenIsReadBackAsTheSame(Class<? extends Record> type) throws Exception {
        Record record = new Filler().record(type);
        Map<String, Object> json = JsonFile.object(RecordJson.write(record), "test", "a record");

        assertThat(RecordJson.of(json, type)).isEqualTo(record);
    }

    @ParameterizedTest
    @MethodSource("types")
    void whatIsAbsentIsEmpty(Class<? extends Record> type) {
        Record empty = RecordJson.of(Map.of("unknown", 7), type);

        assertThat(RecordJson.of(JsonFile.object(RecordJson.write(empty), "test", "a record"), type))
                .isEqualTo(empty);
    }

    @Test
    void whatIsUnknownOrOfAnotherTypeIsEmptyToo() {
        StepRecord step = RecordJson.of(
                Map.of("id", List.of(1), "repeat", "two", "status", "exploded", "process", 7, "files", "none"),
                StepRecord.class);

        assertThat(step.id()).isEmpty();
        assertThat(step.status()).isEqualTo(StepRecord.Status.PLANNED);
        assertThat(step.process()).isEqualTo(ProcessFigures.NONE);
        assertThat(step.reason()).isNull();
    }

    @Test
    void aRemarkOfNoKnownKindIsQuoted() {
        Missing text = RecordJson.of(Map.of("what", "a file", "why", Map.of("kind", "later")), Missing.class);

        assertThat(text).isEqualTo(new Missing(new Remark.Given("a file"), new Remark.Given("later")));
    }

    @Test
    void constantsAreInLowerCase() {
        StepRecord step = RecordJson.of(Map.of("status", "done"), StepRecord.class);

        assertThat(step.status()).isEqualTo(StepRecord.Status.DONE);
        assertThat(RecordJson.write(step)).contains("\"status\": \"done\"");
    }

    @Test
    void aKindIsNamedInItsObjectAndPercentilesAreKeys() {
        Missing missing = new Missing(new Remark.TheReport(), new Remark.ShortWarmup("put", 5));
        ExperimentRecord.Published figures = new ExperimentRecord.Published("a", "put", Map.of(100.0, 2.5), "", "");

        assertThat(RecordJson.write(missing).replaceAll("\\s+", ""))
                .isEqualTo("{\"what\":{\"kind\":\"theReport\"},"
                        + "\"why\":{\"kind\":\"shortWarmup\",\"phase\":\"put\",\"warmupNanos\":5}}");
        assertThat(RecordJson.write(figures)).contains("\"100\": 2.500");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"schema\": \"kvant-lab/9\"}", "[]", "{"})
    void aFileThatIsNoRecordOfARunIsOneLine(String text, @TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("run.json"), text);

        assertThatThrownBy(() -> RunRecord.read(folder))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("run.json")
                .hasMessageNotContaining("\n");
    }
}
