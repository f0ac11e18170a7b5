package kvant.prove;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import kvant.text.YamlMap;

/// A row of the table of promises: `rows.yaml`.
///
/// @param fault what is done to a node
/// @param trials that keep it; the last one may run tests by Maven
/// @param elsewhere how what keeps it is run, where this command does not run it
record Row(int number, String fault, String promise, List<Trial> trials, String elsewhere) {

    static final List<Row> ALL = read();

    private static List<Row> read() {
        List<String> keys = List.of("row", "fault", "trials", "promise", "module", "tests", "with", "elsewhere");
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
        String promise = map.text("promise", "");
        List<Trial> trials = new ArrayList<>();
        map.map("trials", null).ifPresent(named -> {
            for (String name : named.keys()) {
                trials.add(Trial.of(name, number, named.needed(name)));
            }
        });
        if (map.has("tests")) {
            TestTrial run = new TestTrial(map.needed("module"), map.needed("tests"), map.text("with", ""));
            trials.add(new Trial("tests-" + number, number, promise, run::obstacle, run));
        }
        return new Row(number, map.needed("fault"), promise, List.copyOf(trials), map.text("elsewhere", ""));
    }
}
