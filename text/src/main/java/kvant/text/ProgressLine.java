package kvant.text;

import java.io.PrintWriter;

/// How a command comes along: on a terminal one line that is drawn over, elsewhere nothing but lines that stay.
///
/// The caller says when to draw, because it knows when drawing disturbs nothing. Libraries for this (progressbar,
/// JLine) draw from a thread of their own, several times a second, beside the clients whose latency is being measured,
/// and bring a terminal driver along; what is needed is two escape sequences.
///
/// Belongs to one thread.
public final class ProgressLine implements AutoCloseable {

    private static final String CLEAR = "\r\u001b[K";

    /// A line that is longer than the terminal is cut there: one that went on below could not be drawn over.
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

    /// In the place of what was drawn before; nothing where there is no terminal.
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

    /// Takes back what was drawn.
    @Override
    public void close() {
        if (drawn) {
            out.print(CLEAR);
            out.flush();
            drawn = false;
        }
    }
}
