/// Packages for installation, made from the build output: an archive, a Debian package, a container image and a Helm
/// chart.
///
/// Reproducible: the same sources, JDK and `SOURCE_DATE_EPOCH` give the same bytes.
@NullMarked
package kvant.dist;

import org.jspecify.annotations.NullMarked;
