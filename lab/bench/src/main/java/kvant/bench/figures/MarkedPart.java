package kvant.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.text.UserException;

/// The generated part of a document, between the comments `<!-- NAME: begin -->` and `<!-- NAME: end -->`.
public final class MarkedPart {

    private MarkedPart() {}

    /// Replaces it, and leaves the rest of the document unchanged.
    public static void replace(Path document, String name, String part) throws IOException {
        Files.writeString(document, replaced(Files.readString(document), name, part));
    }

    /// @return the document with the new part
    public static String replaced(String document, String name, String part) {
        String begin = "<!-- " + name + ": begin -->";
        String end = "<!-- " + name + ": end -->";
        int from = document.indexOf(begin);
        int to = document.indexOf(end);
        if (from < 0 || to < from) {
            throw new UserException("the document has no marks " + begin + " and " + end);
        }
        return document.substring(0, from + begin.length()) + "\n" + part + "\n" + document.substring(to);
    }
}
