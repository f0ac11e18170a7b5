/// What people install, made of what the build leaves: an archive, a Debian package, a container image and a
/// Helm chart.
///
/// The same sources, the same JDK and the same `SOURCE_DATE_EPOCH` give the same bytes.
@NullMarked
package kvant.dist;

import org.jspecify.annotations.NullMarked;
