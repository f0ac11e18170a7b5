/// Sentences, numbers and times in the languages of the report.
@NullMarked
package kvant.report.words;

import org.jspecify.annotations.NullMarked;
