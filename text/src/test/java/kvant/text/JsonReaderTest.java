package kvant.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One object, member by member.
class JsonReaderTest {

    @Test
    void membersAreReadInTheirOrder() throws IOException {
        try (JsonReader reader = reader("{\"a\":\"x\\ny\",\"b\":-7,\"c\":true,\"d\":false,\"e\":\"/wA=\"}")) {
            assertThat(reader.nextName()).isEqualTo("a");
            assertThat(reader.string()).isEqualTo("x\ny");
            assertThat(reader.nextName()).isEqualTo("b");
            assertThat(reader.number()).isEqualTo(-7);
            assertThat(reader.nextName()).isEqualTo("c");
            assertThat(reader.bool()).isTrue();
            assertThat(reader.nextName()).isEqualTo("d");
            assertThat(reader.bool()).isFalse();
            assertThat(reader.nextName()).isEqualTo("e");
            assertThat(reader.base64()).containsExactly(0xFF, 0);
            assertThat(reader.nextName()).isNull();
        }
    }

    @Test
    void membersThatNobodyAsksForArePassedOver() throws IOException {
        List<String> names = new ArrayList<>();
        try (JsonReader reader = reader("{\"a\":{\"b\":[1,{\"c\":2}]},\"d\":[[],{}],\"e\":null,\"f\":1}")) {
            for (String name = reader.nextName(); name != null; name = reader.nextName()) {
                names.add(name);
            }
        }
        assertThat(names).containsExactly("a", "d", "e", "f");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "1", "<html>", "{\"a\":1", "{\"a\":1}x", "{\"a\":1}{}", "{\"a\":maybe}"})
    void whatIsNoObjectIsRefused(String text) {
        assertThatThrownBy(() -> {
                    try (JsonReader reader = reader(text)) {
                        for (String name = reader.nextName(); name != null; name = reader.nextName()) {
                            assertThat(name).isEqualTo("a");
                        }
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "null", "\"a!==\"", "\"a\"", "[]"})
    void aMemberOfAnotherKindIsRefused(String value) {
        assertThatThrownBy(() -> {
                    try (JsonReader reader = reader("{\"a\":" + value + "}")) {
                        reader.nextName();
                        reader.base64();
                    }
                })
                .isInstanceOf(IOException.class);
    }

    private static JsonReader reader(String text) throws IOException {
        byte[] bytes = (text + "what was there before").getBytes(StandardCharsets.UTF_8);
        return JsonReader.of(bytes, text.length());
    }
}
