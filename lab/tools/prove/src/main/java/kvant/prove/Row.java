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
/// @param tests that keep it, run by Maven
/// @param elsewhere how what keeps it is run, where this command does not run it
record Row(int number, String fault, String promise, Optional<Trial> tests, String elsewhere) {

    static final List<Row> ALL = read();

    private static List<Row> read() {
        List<String> keys = List.of("row", "fault", "promise", "module", "tests", "with", "elsewhere");
        try (InputStream in = Row.class.getResourceAsStream("rows.yaml")) {
            return YamlMap.read("rows.yaml", in, List.of("rows")).maps("rows", keys).stream()
                    .map(Row::of)
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Row of(YamlMap map) {
        int number = Integer.parseInt(map.needed("row"));
        String fault = map.needed("fault");
        String promise = map.text("promise", "");
        Optional<Trial> tests = Optional.of(map.text("tests", ""))
                .filter(names -> !names.isEmpty())
                .map(names -> new TestTrial(number, promise, map.needed("module"), names, map.text("with", "")));
        return new Row(number, fault, promise, tests, map.text("elsewhere", ""));
    }
}
