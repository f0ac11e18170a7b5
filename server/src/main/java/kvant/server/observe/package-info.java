/// What a node tells about itself: its figures for Prometheus, its slowest requests, and what the process did
/// meanwhile. The only importer of the Prometheus client.
@NullMarked
package kvant.server.observe;

import org.jspecify.annotations.NullMarked;
