package kvant.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.LoggerFactory;

/// Configures the log: warnings and errors to stderr, one line each, and Kvant's own changes of state. Configured in
/// code rather than XML, because parsing XML adds a tenth of a second to every start.
/// `-Dlogback.configurationFile=FILE` still replaces it.
public final class LogSetup extends ContextAwareBase implements Configurator {

    private static final String STDERR = "stderr";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        // Repeats the one-line message of a refused start.
        context.getLogger("com.datastax.oss.driver.internal.core.control").setLevel(Level.ERROR);
        context.getLogger("kvant").setLevel(Level.INFO); // changes of state, one line each
        root.addAppender(stderr(context, LogStyle.TEXT));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /// Writes lines in this format from now on, unless a Logback configuration file sets the format.
    public static void use(LogStyle format) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
            if (root.detachAppender(STDERR)) {
                root.addAppender(stderr(context, format));
            }
        }
    }

    private static ConsoleAppender<ILoggingEvent> stderr(LoggerContext context, LogStyle format) {
        Encoder<ILoggingEvent> encoder = format == LogStyle.JSON ? json() : text(context);
        encoder.setContext(context);
        encoder.start();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setName(STDERR);
        stderr.setTarget("System.err");
        stderr.setEncoder(encoder);
        stderr.start();
        return stderr;
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0} [%thread] %msg%n");
        return encoder;
    }

    /// JSON with the same content as the text lines.
    private static Encoder<ILoggingEvent> json() {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithContext(false);
        encoder.setWithMarkers(false);
        encoder.setWithMDC(false);
        encoder.setWithKVPList(false);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithFormattedMessage(true);
        return encoder;
    }

    /// The format of log lines.
    public enum LogStyle {
        /// Readable text: time, level, logger, thread and message, separated by spaces.
        TEXT,
        /// For programs: one JSON object per line.
        JSON
    }
}
