package kvant.lab.process;

import java.util.List;
import java.util.regex.Pattern;

/// Finds, in what a process wrote before it ended, the line that says why.
///
/// A node of Kvant says it in one line that begins with `kvant: `; other programs throw, and the JVM has
/// lines of its own. What is written after the reason (a hint, a log line, a stack trace) is no reason.
public final class ErrorLine {

    private static final String OURS = "kvant: ";

    /// An exception that nobody caught, or what caused it.
    private static final Pattern THROWN = Pattern.compile("(Exception in thread|Caused by:).*");

    /// What says that there is a reason, or that is none: lines of the unified log, of stack traces, and
    /// the last words of a JVM that does not start.
    private static final Pattern NO_REASON = Pattern.compile(
            "(\\[\\d+[.,]\\d+s]|\\s+at |\\s*\\.\\.\\. \\d+ more|Error: Could not create the Java Virtual Machine"
                    + "|Error: A fatal exception has occurred).*");

    private static final int LONGEST = 300;

    private ErrorLine() {}

    /// Empty where the process wrote nothing.
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
