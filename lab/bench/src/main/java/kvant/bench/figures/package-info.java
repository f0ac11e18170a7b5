/// What benchmarks print: ratios with their spread, Markdown tables, where figures come from, pictures.
@NullMarked
package kvant.bench.figures;

import org.jspecify.annotations.NullMarked;
