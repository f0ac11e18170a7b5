package kvant.prove;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import kvant.prove.stage.Trial;
import kvant.prove.trial.TestTrial;
import kvant.text.YamlMap;

/// A row of the table of promises: `rows.yaml`.
///
/// @param fault what is done to a node
/// @param promise empty where its trials say it
/// @param tests that keep it, run by Maven
/// @param elsewhere how what keeps it is run, where this command does not run it
record Row(int number, String fault, String promise, Optional<Trial> tests, String elsewhere) {

    private static final List<String> KEYS =
            List.of("row", "fault", "promise", "module", "tests", "with", "elsewhere");

    static final List<Row> ALL = read();

    private static List<Row> read() {
        try (InputStream in = Row.class.getResourceAsStream("rows.yaml")) {
            if (in == null) {
                throw new IllegalStateException("no rows.yaml");
            }
            return YamlMap.read("rows.yaml", in, List.of("rows")).maps("rows", KEYS).stream()
                    .map(Row::of)
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Row of(YamlMap map) {
        int number = Integer.parseInt(map.needed("row"));
        String promise = map.text("promise", "");
        Optional<Trial> tests = !map.has("tests")
                ? Optional.empty()
                : Optional.of(new TestTrial(
                        number,
                        promise.isEmpty() ? map.needed("fault") : promise,
                        map.needed("module"),
                        map.needed("tests"),
                        map.text("with", "")));
        return new Row(number, map.needed("fault"), promise, tests, map.text("elsewhere", ""));
    }
}
