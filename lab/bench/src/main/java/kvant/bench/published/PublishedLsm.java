package kvant.bench.published;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import kvant.engine.GroupCommit;
import kvant.engine.Health;
import kvant.engine.LocalEngine;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.LsmParts;
import kvant.lsm.commit.MemtableFlush;

/// Opens the LSM engine with some parts replaced by published implementations.
///
/// @param ways empty for the unmodified engine
public record PublishedLsm(Set<PublishedWay> ways) {

    /// The engine's parts, some replaced.
    record Parts(Set<PublishedWay> ways, ReentrantLock lock) implements LsmParts {

        @Override
        public GroupCommit.Log aroundCommits(GroupCommit.Log log, MemtableFlush flush) {
            return new PublishedCommits(
                    log,
                    ways.contains(PublishedWay.FOREGROUND_FLUSH) ? flush : null,
                    ways.contains(PublishedWay.LOCKED_READS) ? lock : null);
        }

        @Override
        public List<Health.Check> checks() {
            List<Health.Check> checks = new ArrayList<>();
            for (PublishedWay way : PublishedWay.values()) {
                if (ways.contains(way)) {
                    checks.add(new Health.Check(way.label(), true, way.explanation()));
                }
            }
            return checks;
        }
    }

    public PublishedLsm {
        ways = Set.copyOf(ways);
    }

    /// Opens a store as [LsmEngine#open] does.
    public LocalEngine open(Path path, LsmOptions options) {
        return open(parts -> LsmEngine.open(path, options, parts));
    }

    LocalEngine open(Function<LsmParts, LsmEngine> opener) {
        Parts parts = parts();
        LsmEngine engine = opener.apply(parts);
        return ways.contains(PublishedWay.LOCKED_READS) ? new LockedReads(parts.lock, engine) : engine;
    }

    /// The parts for one engine. With locked reads [#open] also wraps the engine.
    Parts parts() {
        return new Parts(ways, new ReentrantLock());
    }
}
