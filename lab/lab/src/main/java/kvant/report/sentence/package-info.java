/// Converts results to sentences. This is the only place where verdicts, remarks and figures get words, which come from
/// the catalogues of [kvant.report.words] in each language.
@NullMarked
package kvant.report.sentence;

import org.jspecify.annotations.NullMarked;
