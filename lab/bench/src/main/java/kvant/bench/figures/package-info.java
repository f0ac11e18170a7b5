/// The output of benchmarks: ratios with their spread, Markdown tables, the origin of figures, pictures.
@NullMarked
package kvant.bench.figures;

import org.jspecify.annotations.NullMarked;
