package kvant.lab.process;

import java.util.List;
import java.util.regex.Pattern;

/// Finds the reason for the end of a process in its output.
///
/// A Kvant node prints one line that begins with `kvant: `. Other programs print exceptions, and the JVM has messages
/// of its own. Text after the reason (a hint, a log line, a stack trace) is ignored.
public final class ErrorLine {

    private static final String OURS = "kvant: ";

    /// An uncaught exception, or its cause.
    private static final Pattern THROWN = Pattern.compile("(Exception in thread|Caused by:).*");

    /// Lines that are not the reason: of the unified log, of stack traces, and the final lines of a JVM that fails to
    /// start.
    private static final Pattern NO_REASON = Pattern.compile(
            "(\\[\\d+[.,]\\d+s]|\\s+at |\\s*\\.\\.\\. \\d+ more|Error: Could not create the Java Virtual Machine"
                    + "|Error: A fatal exception has occurred).*");

    private static final int LONGEST = 300;

    private ErrorLine() {}

    /// Empty if the process printed nothing.
    public static String of(String output) {
        List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
        String found = "";
        for (Pattern wanted : List.of(Pattern.compile(OURS + ".*"), THROWN, Pattern.compile(".*"))) {
            List<String> fitting = lines.stream()
                    .filter(line -> wanted.matcher(line).matches())
                    .filter(line -> !NO_REASON.matcher(line).matches())
                    .toList();
            if (!fitting.isEmpty()) {
                found = fitting.getLast();
                break;
            }
        }
        String plain = (found.startsWith(OURS) ? found.substring(OURS.length()) : found)
                .strip()
                .replaceAll("\\p{Cntrl}", "?");
        return plain.length() > LONGEST ? plain.substring(0, LONGEST) + "..." : plain;
    }
}
