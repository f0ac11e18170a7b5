/// The report as a page, as Markdown and as JSON.
@NullMarked
package kvant.lab.study.page;

import org.jspecify.annotations.NullMarked;
