package kvant.lab.study.folder;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One of the things that are compared.
///
/// @param command what served
/// @param jvm options of its JVM beyond the usual
public record Variant(
        String name,
        String title,
        List<String> command,
        List<String> jvm,
        String kind,
        long connections,
        Map<String, String> options) {

    static Variant of(Document json) {
        Map<String, String> options = new TreeMap<>();
        json.at("options").members().forEach((name, value) -> options.put(name, value.text()));
        return new Variant(
                json.at("name").text(),
                json.at("title").text(),
                json.at("command").toldTexts(),
                json.at("jvm").toldTexts(),
                json.at("kind").text(),
                json.at("connections").whole(),
                options);
    }
}
