package kvant.lab.result;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// One of the compared variants.
///
/// @param command of the server
/// @param kind `kvant` or `external`
/// @param connections number in every phase, or 0 for that of the phase
/// @param jvm additional options of its JVM
/// @param phases its only loads; empty for all
/// @param version reported by the server; empty if not queried
public record VariantRecord(
        String name,
        String title,
        String titleRu,
        List<String> command,
        String kind,
        long connections,
        Map<String, String> options,
        List<String> jvm,
        List<String> phases,
        String version) {

    /// Whether it has this load.
    public boolean gets(String phase) {
        return phases.isEmpty() || phases.contains(phase);
    }

    /// The command line of the server, as typed by a user.
    public String typed() {
        String options = jvm.isEmpty() ? "" : "KVANT_JAVA_OPTS=" + typed(List.of(String.join(" ", jvm))) + " ";
        return options + typed(command);
    }

    /// Words quoted for a shell.
    public static String typed(List<String> words) {
        return words.stream()
                .map(word -> word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }
}
