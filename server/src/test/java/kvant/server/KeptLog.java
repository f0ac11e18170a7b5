package kvant.server;

import java.text.MessageFormat;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A logger that keeps its lines, each with its level in front.
public final class KeptLog implements System.Logger {

    public final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public String getName() {
        return "kept";
    }

    @Override
    public boolean isLoggable(Level level) {
        return true;
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
        lines.add(level + " " + message);
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... arguments) {
        lines.add(level + " " + MessageFormat.format(String.valueOf(format), arguments));
    }
}
