package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The expressions of docs/http-api.md that encode a key do so. (A language that is not installed is left out.)
class KeyEncodingTest {

    private static final String KEY = "a+b c/d&e=f?g%h#i~*'(\u00e9)!";

    @Test
    void theExpressionForJavaEncodesAKey() throws Exception {
        String key = KEY;
        String encoded = URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
        assertThat(document()).contains("`URLEncoder.encode(key, StandardCharsets.UTF_8).replace(\"+\", \"%20\")`");
        assertNames(encoded);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "python3 | -c | import urllib.parse; key = KEY; print(EXPRESSION) | urllib.parse.quote(key, safe=\"\")",
                "node    | -e | const key = KEY; console.log(EXPRESSION)          | encodeURIComponent(key)"
            })
    void theExpressionOfAnotherLanguageEncodesAKey(String program, String option, String code, String expression)
            throws Exception {
        assertThat(document()).contains("`" + expression + "`");
        String literal = "\"" + KEY.replace("\u00e9", "\\u00e9") + "\""; // arguments are ASCII in any locale
        assertNames(output(List.of(
                Tool.of(program).need().toString(),
                option,
                code.replace("KEY", literal).replace("EXPRESSION", expression))));
    }

    private static void assertNames(String encoded) throws IOException {
        try (NodeHarness harness = NodeHarness.sync()) {
            harness.engine.load(KEY.getBytes(StandardCharsets.UTF_8), NodeHarness.bytes("value"));
            RawClient client = harness.client();
            String get = NodeHarness.get(encoded);
            assertThat(client.exchange(get).text()).as(encoded).isEqualTo("value");
            assertThat(client.exchange(get.replace("?id=", "/")).text())
                    .as(encoded)
                    .isEqualTo("value");
        }
    }

    private static String document() throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("docs/http-api.md"))) {
            folder = folder.getParent();
        }
        assertThat(folder).as("inside the project").isNotNull();
        return Files.readString(folder.resolve("docs/http-api.md"));
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output.strip();
    }
}
