package kvant.server;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// Keeps what a logger and those below it say, until it is closed.
public final class LoggedLines implements AutoCloseable {

    private final Logger logger;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            Object[] parameters = line.getParameters();
            lines.add(
                    parameters == null || parameters.length == 0
                            ? line.getMessage()
                            : MessageFormat.format(line.getMessage(), parameters));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    public LoggedLines(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(handler);
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
