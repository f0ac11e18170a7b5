package kvant.report.folder;

import java.util.regex.Pattern;

/// Removes folders of the measuring machine from texts, because they are meaningless to other readers of a report.
public final class Paths {

    /// The folders of an absolute path, but not the path of a URL, and not a single slash.
    private static final Pattern FOLDERS = Pattern.compile("(?<![\\w./~:}])/(?:[\\w.@+~-]+/)+(?=[\\w.@+~-])");

    private Paths() {}

    /// The text without the folders in its paths.
    public static String shortened(String text) {
        return FOLDERS.matcher(text).replaceAll("…/");
    }
}
