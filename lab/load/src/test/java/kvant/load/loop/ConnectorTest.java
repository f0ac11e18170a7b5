package kvant.load.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import kvant.load.http.ResponseParser;
import kvant.load.keys.SplitMix64;
import kvant.load.net.Sockets;
import kvant.load.plan.Arrivals;
import kvant.load.record.SlowestHeap;
import org.junit.jupiter.api.Test;

/// A server that goes away and comes back, on a clock that the test moves.
class ConnectorTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long TURN = 5 * MILLI;
    private static final long AWAY = 1350 * MILLI;

    /// Where connecting succeeds as long as the server is up.
    private static final class SwitchedSockets extends Sockets {

        private final int slots;
        private boolean up = true;
        private long attempts;

        SwitchedSockets(int slots) {
            super(slots, 0, 0);
            this.slots = slots;
        }

        @Override
        public boolean connect(int slot) {
            attempts++;
            return true;
        }

        @Override
        public boolean finishConnect(int slot) {
            return up || failed("refused");
        }

        @Override
        public int localPort(int slot) {
            return 0;
        }

        @Override
        public int read(int slot) {
            return WOULD_BLOCK;
        }

        @Override
        public int write(int slot, int length) {
            return length;
        }

        @Override
        public void wantWrite(int slot, boolean wanted) {}

        @Override
        public void close(int slot) {}

        @Override
        public int await(long nanos) {
            readyCount = 0;
            for (int slot = 0; slot < slots; slot++) {
                report(slot, false, true);
            }
            return readyCount;
        }

        @Override
        public void close() {}
    }

    private final LoopFigures figures = new LoopFigures(false, false, SlowestHeap.NONE);
    private SwitchedSockets sockets = new SwitchedSockets(0);
    private LoadConnection[] connections = {};
    private Connector connector = new Connector(sockets, figures, 0);

    /// All of them stand, and have answered.
    private long connected(int count) {
        sockets = new SwitchedSockets(count);
        connections = new LoadConnection[count];
        for (int i = 0; i < count; i++) {
            Arrivals arrivals = new Arrivals(Arrivals.Law.UNIFORM, 1, 1, 0, SplitMix64.of(1, 1));
            connections[i] = new LoadConnection(i, 1, false, arrivals, new ResponseParser());
        }
        connector = new Connector(sockets, figures, TimeUnit.SECONDS.toNanos(10));
        connector.connectAll(connections, 0, new Control(1));
        for (LoadConnection connection : connections) {
            connection.answeredSinceOpen = true;
        }
        sockets.attempts = 0;
        return System.nanoTime();
    }

    private long open() {
        long open = 0;
        for (LoadConnection connection : connections) {
            open += connection.state == LoadConnection.State.OPEN ? 1 : 0;
        }
        return open;
    }

    private void turn(long now) {
        connector.tend(connections, now, Long.MAX_VALUE);
        finish(now);
    }

    private void finish(long now) {
        for (LoadConnection connection : connections) {
            if (connection.state == LoadConnection.State.CONNECTING) {
                connector.reconnected(connection, now);
            }
        }
    }

    /// @return when it is back
    private long goAway(long from) {
        sockets.up = false;
        for (LoadConnection connection : connections) {
            connector.lost(connection, from);
        }
        finish(from);
        long now = from;
        for (; now < from + AWAY; now += TURN) {
            turn(now);
        }
        sockets.up = true;
        return now;
    }

    private void assertThatNothingIsChargedToTheServerAfter(long back) {
        for (LoadConnection connection : connections) {
            assertThat(connection.ableSince).isLessThan(back);
        }
    }

    @Test
    void aServerThatComesBackIsNoticedAtOnce() {
        long back = goAway(connected(10));
        assertThat(open()).isZero();

        for (long now = back; now <= back + Connector.RETRY_NANOS; now += TURN) {
            turn(now);
        }

        assertThat(open()).isEqualTo(10);
        assertThatNothingIsChargedToTheServerAfter(back);
        assertThat(connections[0].openedAt - connections[0].ableSince)
                .as("its own lag")
                .isLessThanOrEqualTo(Connector.RETRY_NANOS + TURN);
    }

    @Test
    void tenThousandConnectionsDoNotStormIt() {
        int count = 10_000;
        long back = goAway(connected(count));
        assertThat(sockets.attempts)
                .as("each once, and then a few a turn")
                .isBetween((long) count, count + Connector.RETRIES_PER_TURN * (AWAY / TURN + 1));

        long now = back;
        for (; open() < count && now < back + TimeUnit.SECONDS.toNanos(2); now += TURN) {
            turn(now);
            figures.lastAnswerNanos = now;
        }

        assertThat(open()).isEqualTo(count);
        assertThat(now - back).isLessThanOrEqualTo(TURN * (2 + count / Connector.MOST_RETRIES_PER_TURN));
        assertThatNothingIsChargedToTheServerAfter(back);
    }

    @Test
    void aServerThatTakesConnectionsAndClosesThemIsNotStormed() {
        long from = connected(1000);
        for (LoadConnection connection : connections) {
            connection.answeredSinceOpen = false;
            connector.lost(connection, from);
        }
        boolean[] tried = new boolean[connections.length];
        for (long now = from; now < from + 200 * TURN; now += TURN) {
            long before = sockets.attempts;
            connector.tend(connections, now, Long.MAX_VALUE);
            assertThat(sockets.attempts - before).isLessThanOrEqualTo(Connector.RETRIES_PER_TURN);
            for (int i = 0; i < connections.length; i++) {
                tried[i] |= connections[i].state == LoadConnection.State.CONNECTING;
            }
            finish(now);
            for (LoadConnection connection : connections) {
                if (connection.state == LoadConnection.State.OPEN) {
                    connector.lost(connection, now);
                }
            }
        }
        assertThat(tried).as("each has its turn").doesNotContain(false);
    }
}
