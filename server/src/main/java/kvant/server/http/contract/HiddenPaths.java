package kvant.server.http.contract;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/// Removes paths of the node's machine from answers: an engine reports them to its operator, but a client needs no
/// more than the file's name. Of a path within a known directory the part behind that directory stays; any other path
/// is left out as a whole.
public final class HiddenPaths {

    private static final String DIRECTORY = "<directory>";
    private static final String PATH = "<path>";

    /// An absolute path that is neither part of a URL nor of text already hidden.
    private static final Pattern ABSOLUTE = Pattern.compile("(?<![\\w./>:-])/[^\\s:;,'\"()<>]+");

    /// The longest first: one may lie within another.
    private final List<Pattern> directories;

    /// @param directories as they may stand in a text
    public HiddenPaths(Collection<String> directories) {
        this.directories = directories.stream()
                .map(directory -> directory.replaceFirst("/+$", ""))
                .filter(directory -> !directory.isEmpty())
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(directory -> Pattern.compile(
                        "(?<![\\w./-])" + Pattern.quote(directory) + "(?:(/+)(?=[\\w.-])|/*(?![\\w./-]))"))
                .toList();
    }

    /// The text without them.
    public String hide(String text) {
        if (text.indexOf('/') < 0) {
            return text;
        }
        String hidden = text;
        for (Pattern directory : directories) {
            hidden = directory.matcher(hidden).replaceAll(found -> found.group(1) == null ? DIRECTORY : "");
        }
        return ABSOLUTE.matcher(hidden).replaceAll(PATH);
    }
}
