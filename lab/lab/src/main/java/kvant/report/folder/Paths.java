package kvant.report.folder;

import java.util.regex.Pattern;

/// Folders of the machine on which something was written: they say nothing to others who read a report.
public final class Paths {

    /// The folders of an absolute path; not the path of a URL, and nothing with a single slash.
    private static final Pattern FOLDERS = Pattern.compile("(?<![\\w./~:}])/(?:[\\w.@+~-]+/)+(?=[\\w.@+~-])");

    private Paths() {}

    /// The text with folders left out of its paths.
    public static String shortened(String text) {
        return FOLDERS.matcher(text).replaceAll("…/");
    }
}
