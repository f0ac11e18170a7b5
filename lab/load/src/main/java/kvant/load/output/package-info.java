/// Results for people: text, pictures, and the files of HdrHistogram.
@NullMarked
package kvant.load.output;

import org.jspecify.annotations.NullMarked;
