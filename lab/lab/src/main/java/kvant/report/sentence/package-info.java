/// Turns what was decided into sentences: the one place where verdicts, remarks and figures get words, which the
/// catalogues of [kvant.report.words] have in each language.
@NullMarked
package kvant.report.sentence;

import org.jspecify.annotations.NullMarked;
