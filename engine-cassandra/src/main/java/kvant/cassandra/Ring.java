package kvant.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/// The parts of the ring that hold a store, for reading them side by side.
///
/// A part lies with one set of replicas. Those without a bucket are left out: a large cluster has far
/// more ranges of tokens than a store has partitions.
record Ring(CqlSession session, Layout layout) {

    /// Approximate number of parts in which a store is read, if it has as many buckets.
    private static final int PARTS = 4 * ExportScan.LANES;

    /// @return none when the driver does not know the ring
    List<TokenRange> parts() {
        TokenMap ring = session.getMetadata().getTokenMap().orElse(null);
        if (ring == null) {
            return List.of();
        }
        TreeSet<Token> buckets = buckets(ring);
        List<TokenRange> parts = new ArrayList<>();
        for (TokenRange range : ring.getTokenRanges()) {
            for (TokenRange straight : range.unwrap()) {
                int held = count(straight, buckets);
                if (held > 0) {
                    int pieces = Math.clamp((long) held * PARTS / buckets.size(), 1, held);
                    (pieces == 1 ? List.of(straight) : straight.splitEvenly(pieces))
                            .stream().filter(piece -> count(piece, buckets) > 0).forEach(parts::add);
                }
            }
        }
        Collections.shuffle(parts, new Random(parts.size())); // neighbours lie with the same replicas
        return parts;
    }

    private TreeSet<Token> buckets(TokenMap ring) {
        TreeSet<Token> tokens = new TreeSet<>();
        for (int bucket = 0; bucket < layout.buckets(); bucket++) {
            ByteBuffer key =
                    TypeCodecs.INT.encodePrimitive(bucket, session.getContext().getProtocolVersion());
            tokens.add(ring.newToken(key));
        }
        return tokens;
    }

    private static int count(TokenRange straight, TreeSet<Token> buckets) {
        return (int) buckets.tailSet(straight.getStart(), false).stream()
                .takeWhile(straight::contains)
                .count();
    }
}
