package kvant.cli.serve;

import kvant.server.NodeOptions;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// How many requests may wait for a worker: a number, or [NodeOptions#UNBOUNDED].
record QueueBound(int requests) {

    /// Reads `--queue`.
    static final class Option implements ITypeConverter<QueueBound> {

        @Override
        public QueueBound convert(String text) {
            if (text.equalsIgnoreCase("unbounded")) {
                return new QueueBound(NodeOptions.UNBOUNDED);
            }
            try {
                int requests = Integer.parseInt(text);
                if (requests >= 1) {
                    return new QueueBound(requests);
                }
            } catch (NumberFormatException _) {
                // falls through: not a number is as wrong as a number below 1
            }
            throw new TypeConversionException("'" + text + "' is neither a number from 1 nor 'unbounded'");
        }
    }
}
