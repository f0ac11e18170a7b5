/// What a run leaves behind, as records: whoever writes a file of a folder of results and whoever reads it use the same
/// type, and [kvant.load.result.RecordJson] is the one codec of them all. Texts are in no language: a
/// [kvant.lab.result.Remark] is a kind and its figures, and becomes a sentence where somebody reads it.
@NullMarked
package kvant.lab.result;

import org.jspecify.annotations.NullMarked;
