package kvant.dist;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import kvant.text.JsonFile;
import org.jspecify.annotations.Nullable;

/// The file NOTICE: third-party parts of a package, and their licences.
final class Notice {

    /// Sufficient for a list of a thousand libraries.
    private static final int LONGEST = 8 << 20;

    private Notice() {}

    /// @param parts the list of libraries, in the format of CycloneDX
    static String of(Path parts, String version) {
        TreeSet<String> lines = new TreeSet<>();
        for (Map<?, ?> part :
                objects(JsonFile.read(parts, "a list of parts", LONGEST).get("components"))) {
            if (!"kvant".equals(part.get("group"))) {
                lines.add(part.get("group") + ":" + part.get("name") + " " + part.get("version") + ", "
                        + String.join(" or ", licences(part)));
            }
        }
        return "Kvant " + version + "\n"
                + "Licensed under the Apache License, Version 2.0, see LICENSE.\n\n"
                + "This package holds these libraries. Those under the Apache License have its text in LICENSE; the\n"
                + "texts and notices of others, and the notices of all, are in the folder licences.\n\n"
                + String.join("\n", lines) + "\n\n"
                + "Libraries with classes before Java 6 are changed, as META-INF/CHANGED-BY-KVANT in them says.\n\n"
                + "It holds a Java runtime, OpenJDK, under the GNU General Public License, version 2, with the\n"
                + "Classpath Exception: texts in lib/runtime/legal, and its version in lib/runtime/release.\n";
    }

    /// SPDX identifiers if a part states them, otherwise names.
    static List<String> licences(Map<?, ?> part) {
        List<String> names = new ArrayList<>();
        for (Map<?, ?> choice : objects(part.get("licenses"))) {
            Object licence = choice.get("license");
            if (licence instanceof Map<?, ?> known) {
                Object id = known.get("id");
                names.add(String.valueOf(id == null ? known.get("name") : id));
            } else {
                names.add(String.valueOf(choice.get("expression")));
            }
        }
        return names;
    }

    static List<Map<?, ?>> objects(@Nullable Object list) {
        List<Map<?, ?>> objects = new ArrayList<>();
        if (list instanceof List<?> items) {
            for (Object item : items) {
                if (item instanceof Map<?, ?> object) {
                    objects.add(object);
                }
            }
        }
        return objects;
    }
}
