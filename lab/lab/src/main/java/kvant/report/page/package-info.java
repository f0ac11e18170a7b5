/// The report as an HTML page, as Markdown and as JSON.
@NullMarked
package kvant.report.page;

import org.jspecify.annotations.NullMarked;
