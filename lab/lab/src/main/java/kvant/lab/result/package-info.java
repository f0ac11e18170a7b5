/// The results of a run as records. Writers and readers of the files in a result folder share these types, and
/// [kvant.load.result.RecordJson] is the only codec. Texts are independent of language: a [kvant.lab.result.Remark] is
/// a kind and its figures, and becomes a sentence when it is displayed.
@NullMarked
package kvant.lab.result;

import org.jspecify.annotations.NullMarked;
