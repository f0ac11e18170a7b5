package kvant.lab.study.folder;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import kvant.lab.yaml.JsonFile;
import org.jspecify.annotations.Nullable;

/// A part of a JSON text, or nothing. Whoever asks nothing for a member gets nothing again, so that a
/// reader says what it looks for and not what might be missing on the way.
public record Document(@Nullable Object value) {

    private static final Document NOTHING = new Document(null);

    /// The folders of an absolute path; not the path of a URL, and nothing with a single slash.
    private static final Pattern FOLDERS = Pattern.compile("(?<![\\w./~:}])/(?:[\\w.@+~-]+/)+(?=[\\w.@+~-])");

    /// @throws LabException in one line that names the file
    public static Document read(Path file) {
        return new Document(JsonFile.read(file, "a result", JsonFile.LONGEST));
    }

    public Document at(String name) {
        return value instanceof Map<?, ?> map && map.get(name) instanceof Object found ? new Document(found) : NOTHING;
    }

    public boolean isMissing() {
        return value == null;
    }

    /// The members of a list; none where this is no list.
    public List<Document> list() {
        List<Document> list = new ArrayList<>();
        if (value instanceof List<?> found) {
            found.forEach(one -> list.add(new Document(one)));
        }
        return list;
    }

    /// The members of an object, in their order; none where this is no object.
    public Map<String, Document> members() {
        Map<String, Document> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> found) {
            found.forEach((name, one) -> members.put(String.valueOf(name), new Document(one)));
        }
        return members;
    }

    /// As text; empty where this is nothing, an object or a list.
    public String text() {
        return value == null || value instanceof Map || value instanceof List ? "" : String.valueOf(value);
    }

    /// As text that others may read: folders of the machine on which it was written say nothing to
    /// them, and are left out of paths.
    public String told() {
        return FOLDERS.matcher(text()).replaceAll("…/");
    }

    /// As a number; NaN where it is none.
    public double number() {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /// As a whole number; 0 where it is none.
    public long whole() {
        return value instanceof Number number ? number.longValue() : 0;
    }

    public boolean flag() {
        return Boolean.TRUE.equals(value);
    }

    /// The texts of a list.
    public List<String> texts() {
        return list().stream().map(Document::text).toList();
    }

    /// The texts of a list, for others to read.
    public List<String> toldTexts() {
        return list().stream().map(Document::told).toList();
    }

    /// The numbers of a list.
    public double[] numbers() {
        return list().stream().mapToDouble(Document::number).toArray();
    }
}
