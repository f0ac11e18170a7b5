package kvant.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.text.UserException;

/// The part of a document that a command writes: between the comments `<!-- NAME: begin -->` and `<!-- NAME: end -->`.
public final class MarkedPart {

    private MarkedPart() {}

    /// Writes it anew, and leaves the rest of the document as it is.
    public static void replace(Path document, String name, String part) throws IOException {
        Files.writeString(document, replaced(Files.readString(document), name, part));
    }

    /// @return the document with another part
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
