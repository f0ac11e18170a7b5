package kvant.text;

import java.io.Console;

/// What the person at the other end can see.
public final class Terminal {

    private Terminal() {}

    /// Whether input and output are a terminal, so that a line may be drawn over.
    public static boolean isInteractive() {
        Console console = System.console();
        return console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
    }

    /// A terminal whose owner has not said no (no-color.org).
    public static boolean wantsColour() {
        String refusal = System.getenv("NO_COLOR");
        return isInteractive() && (refusal == null || refusal.isEmpty());
    }
}
