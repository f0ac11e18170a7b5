/// The export of slow requests as spans to a collector, by OTLP. Loaded only if configured.
@NullMarked
package kvant.cli.spans;

import org.jspecify.annotations.NullMarked;
