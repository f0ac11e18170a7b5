package kvant.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @TempDir
    Path folder;

    @Test
    void writesOneMemberALine() {
        Json json = new Json()
                .open()
                .put("a", 1)
                .openList("b")
                .add("x")
                .add(1, 2.5)
                .closeList()
                .open("c")
                .close();

        assertThat(json.close().toString()).isEqualTo("""
                {
                  "a": 1,
                  "b": [
                    "x",
                    [1,2.500]
                  ],
                  "c": {}
                }
                """);
    }

    @Test
    void writesALineForAStream() {
        assertThat(Json.line().open().put("ok", true).putNull("why").close().toString())
                .isEqualTo("{\"ok\":true,\"why\":null}");
    }

    @Test
    void quotesWhatJsonCannotHold() {
        String hostile = "\" \\ \n \u0000 \u001f \u2028 </script> \ud83d\ude00";

        Map<String, ?> read =
                JsonFile.object(Json.line().open().put(hostile, hostile).close().toString(), "x", "x");

        assertThat(read).isEqualTo(Map.of(hostile, hostile));
        assertThat(Json.quote("a\"b\n")).isEqualTo("\"a\\\"b\\n\"");
    }

    @Test
    void whatIsNoFiniteNumberIsNull() {
        assertThat(Json.line()
                        .open()
                        .put("n", Double.NaN)
                        .put("i", 1.0 / 0)
                        .put("h", 0.0005)
                        .close()
                        .toString())
                .isEqualTo("{\"n\":null,\"i\":null,\"h\":0.001}");
    }

    @Test
    void refusesWhatIsOutOfPlace() {
        assertThatThrownBy(() -> new Json().open().add("a member without a name"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void readsWhatItWrote() {
        String text = "{\"a\": [1, 2.5, \"x\", true, null, {\"b\": 9007199254740993}]}";

        assertThat(JsonFile.object(text, "x", "x"))
                .isEqualTo(Map.of("a", Arrays.asList(1, 2.5, "x", true, null, Map.of("b", 9007199254740993L))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[1]", "{", "{\"a\":1,\"a\":2}", "{} {}", "{a: 1}", "{\"a\": .5}", "\0"})
    void refusesWhatIsNotOneObject(String text) {
        assertThatThrownBy(() -> JsonFile.object(text, "FILE", "a result"))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("FILE is not ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void refusesADocumentThatIsTooDeepOrTooLong() throws Exception {
        Path deep = Files.writeString(folder.resolve("deep"), "{\"a\":" + "[".repeat(100_000));
        Path lengthy = Files.writeString(folder.resolve("long"), "{\"a\":1}");

        for (Path file : List.of(deep, lengthy)) {
            assertThatThrownBy(() -> JsonFile.read(file, "a result", file == deep ? 1 << 20 : 6))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(file.toString());
        }
        assertThat(JsonFile.read(lengthy, "a result", 7)).isEqualTo(Map.of("a", 1));
    }
}
