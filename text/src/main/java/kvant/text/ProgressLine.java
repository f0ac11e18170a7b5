package kvant.text;

import java.io.PrintWriter;

/// The progress display of a command: on a terminal a line that is redrawn, elsewhere only permanent lines.
///
/// The caller decides when to draw, because it knows when drawing disturbs nothing. Libraries for this (progressbar,
/// JLine) draw from a thread of their own several times a second, next to the clients whose latency is being
/// measured, and bring a terminal driver along. Two escape sequences are enough.
///
/// Belongs to one thread.
public final class ProgressLine implements AutoCloseable {

    private static final String CLEAR = "\r\u001b[K";

    /// Cuts a line that is longer than the terminal: a wrapped one could not be redrawn.
    private static final String NO_WRAP = "\u001b[?7l";

    private static final String WRAP = "\u001b[?7h";

    private final PrintWriter out;
    private final boolean terminal;
    private boolean drawn;

    /// @param terminal whether lines may be drawn over, see [Terminal#isInteractive()]
    public ProgressLine(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    public boolean isTerminal() {
        return terminal;
    }

    /// Draws the line in place of the last one; does nothing without a terminal.
    public void draw(String text) {
        if (terminal) {
            out.print(CLEAR + NO_WRAP + text + WRAP);
            out.flush();
            drawn = true;
        }
    }

    /// A line that stays.
    public void line(String text) {
        close();
        out.println(text);
        out.flush();
    }

    /// A line of the program's own that stays.
    public void note(String text) {
        line("kvant: " + text);
    }

    /// Removes the line.
    @Override
    public void close() {
        if (drawn) {
            out.print(CLEAR);
            out.flush();
            drawn = false;
        }
    }
}
