/// Sentences, numbers and times in the languages of the report.
@NullMarked
package kvant.lab.study.words;

import org.jspecify.annotations.NullMarked;
