package kvant.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import kvant.server.KeptLog;
import org.junit.jupiter.api.Test;

class AuditLogTest {

    private final AtomicLong now = new AtomicLong();
    private final KeptLog kept = new KeptLog();
    private final AuditLog audit = new AuditLog(kept, now::get);

    @Test
    void aLineSaysWhatWhoWhereAndWhy() {
        audit.refused("GET /v0/entity", "app", "10.0.0.1:4711", "no-scope");
        audit.administrative("GET /metrics", "boss", "local");

        assertThat(kept.lines)
                .containsExactly(
                        "WARNING refused GET /v0/entity token=app from=10.0.0.1:4711 reason=no-scope",
                        "INFO administrative GET /metrics token=boss from=local");
    }

    @Test
    void aFloodWritesSoManyLinesAMinuteAndHidesNoAdministrator() {
        for (int i = 0; i < 1000; i++) {
            audit.refused("GET /", "-", "a", "no-token");
        }
        audit.administrative("GET /metrics", "boss", "b");
        assertThat(kept.lines).hasSize(AuditLog.LINES_PER_MINUTE + 1);
        assertThat(kept.lines.getLast()).startsWith("INFO administrative");

        now.addAndGet(TimeUnit.SECONDS.toNanos(59));
        audit.refused("GET /", "-", "a", "no-token");
        assertThat(kept.lines).hasSize(AuditLog.LINES_PER_MINUTE + 1);

        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        audit.refused("GET /", "-", "a", "no-token");
        audit.refused("GET /", "-", "a", "no-token");
        assertThat(kept.lines).hasSize(AuditLog.LINES_PER_MINUTE + 3);
        assertThat(kept.lines.get(AuditLog.LINES_PER_MINUTE + 1)).endsWith("(941 lines were left out before)");
        assertThat(kept.lines.getLast()).endsWith("reason=no-token");
    }

    @Test
    void readsPushOutNoChangeAndTheSameChangeAgainHasALine() {
        for (int i = 0; i < AuditLog.LINES_PER_MINUTE + 1; i++) {
            audit.administrative("GET /metrics", "boss", "10.0.1." + i + ":4000");
        }
        kept.lines.clear();
        for (int i = 0; i < AuditLog.LINES_PER_MINUTE + 1; i++) {
            audit.changed("PUT /v0/read-only", "boss", "10.0.0.1:4000");
        }
        assertThat(kept.lines)
                .hasSize(AuditLog.LINES_PER_MINUTE)
                .containsOnly("INFO administrative PUT /v0/read-only token=boss from=10.0.0.1:4000");
    }

    /// A page that shows figures asks for them every few seconds, and must not push out what others do.
    @Test
    void whatATokenReadsAgainAndAgainHasOneLineAMinute() {
        for (int i = 0; i < 1000; i++) {
            audit.administrative("GET /metrics", "boss", "10.0.0.1:" + (4000 + i));
        }
        assertThat(kept.lines).containsExactly("INFO administrative GET /metrics token=boss from=10.0.0.1:4000");
        audit.administrative("GET /metrics", "boss", "10.0.0.2:1");
        audit.administrative("GET /metrics", "other", "10.0.0.1:1");
        audit.administrative("GET /ui/slow", "boss", "10.0.0.1:1");
        assertThat(kept.lines).hasSize(4);

        now.addAndGet(TimeUnit.MINUTES.toNanos(1));
        audit.administrative("GET /metrics", "boss", "10.0.0.1:9");
        assertThat(kept.lines).hasSize(5);
    }
}
