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

/// Prints warnings and errors to stderr, one line each, the progress of a move of the store, and what
/// becomes of the servers of a cluster. Configured in code
/// rather than XML, because parsing XML takes a tenth of a second of every start. `-Dlogback.configurationFile=FILE`
/// still replaces it.
public final class LogSetup extends ContextAwareBase implements Configurator {

    private static final String STDERR = "stderr";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        // Says at a refused start what the one line for it says, too.
        context.getLogger("com.datastax.oss.driver.internal.core.control").setLevel(Level.ERROR);
        context.getLogger("kvant.cassandra").setLevel(Level.INFO); // which servers of the cluster come back
        context.getLogger("kvant.move").setLevel(Level.INFO); // how a move comes along: a line for each change
        context.getLogger("kvant.audit").setLevel(Level.INFO); // who asked for what about the node
        context.getLogger("kvant.server.access").setLevel(Level.INFO); // files that were read again
        root.addAppender(stderr(context, LogStyle.TEXT));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /// Writes lines in this form from now on, except where a file of settings for Logback says how.
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

    /// What the lines for people have, and no more.
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

    /// How a line of the log is written.
    public enum LogStyle {
        /// For people: time, level, logger, thread and message, with blanks between them.
        TEXT,
        /// For programs: one JSON object a line.
        JSON
    }
}
