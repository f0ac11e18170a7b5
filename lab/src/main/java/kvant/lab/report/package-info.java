/// A result as text, JSON, HdrHistogram files and a picture.
@NullMarked
package kvant.lab.report;

import org.jspecify.annotations.NullMarked;
