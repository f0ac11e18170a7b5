/// Results in readable form: text, pictures, and HdrHistogram files.
@NullMarked
package kvant.load.output;

import org.jspecify.annotations.NullMarked;
