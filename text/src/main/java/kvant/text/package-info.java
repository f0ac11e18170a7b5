/// Small pieces that the node and the laboratory both need, each once: amounts with units, JSON, tables, drafts, charts
/// as SVG, the line that shows progress. Knows nothing of either product.
@NullMarked
package kvant.text;

import org.jspecify.annotations.NullMarked;
