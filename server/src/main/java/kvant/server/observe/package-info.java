/// A node's reports about itself: its figures for Prometheus, its slowest requests, and the process' background
/// activities. The only importer of the Prometheus client.
@NullMarked
package kvant.server.observe;

import org.jspecify.annotations.NullMarked;
