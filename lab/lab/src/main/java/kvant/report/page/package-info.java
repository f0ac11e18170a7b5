/// The report as a page, as Markdown and as JSON.
@NullMarked
package kvant.report.page;

import org.jspecify.annotations.NullMarked;
