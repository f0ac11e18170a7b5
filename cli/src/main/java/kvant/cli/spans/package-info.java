/// Spans of slow requests on their way to a collector, by OTLP. Nothing of it is loaded unless it is wanted.
@NullMarked
package kvant.cli.spans;

import org.jspecify.annotations.NullMarked;
