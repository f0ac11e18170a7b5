/// A real browser, for tests of pages.
@NullMarked
package kvant.text.browser;

import org.jspecify.annotations.NullMarked;
