package kvant.lab.result;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// One of the things that are compared.
///
/// @param command what served
/// @param kind `kvant` or `external`
/// @param connections that load it in every phase, or 0 where the phases say
/// @param jvm options of its JVM beyond the usual
/// @param phases the only loads that it gets; empty for all
/// @param version as the server itself says it; empty where it was not asked
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

    /// Whether it gets this load.
    public boolean gets(String phase) {
        return phases.isEmpty() || phases.contains(phase);
    }

    /// What serves, as one would type it.
    public String typed() {
        String options = jvm.isEmpty() ? "" : "KVANT_JAVA_OPTS=" + typed(List.of(String.join(" ", jvm))) + " ";
        return options + typed(command);
    }

    /// Words as a shell reads them.
    public static String typed(List<String> words) {
        return words.stream()
                .map(word -> word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }
}
