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

    private static Peer from(String address) {
        return new Peer(address, "");
    }

    @Test
    void aLineSaysWhatWhoWhereAndWhy() {
        audit.refused("GET /v0/entity", "app", from("10.0.0.1:4711"), "no-scope");
        audit.administrative("GET /metrics", "boss", from("local"));

        assertThat(kept.lines)
                .containsExactly(
                        "WARNING refused GET /v0/entity token=app from=10.0.0.1:4711 reason=no-scope",
                        "INFO administrative GET /metrics token=boss from=local");
    }

    @Test
    void aCertificateIsNamedAndBreaksOutOfNoLine() {
        audit.refused("GET /metrics", "app", new Peer("10.0.0.1:1", "CN=one,O=A c"), "no-scope");
        audit.changed("PUT /v0/read-only", "boss", new Peer("10.0.0.1:1", "CN=\"\\ token=x\n\u001b[2J\u00fc"));
        audit.changed("PUT /v0/read-only", "boss", new Peer("10.0.0.1:1", "CN=" + "x".repeat(100_000)));

        assertThat(kept.lines)
                .containsExactly(
                        "WARNING refused GET /metrics token=app from=10.0.0.1:1 subject=\"CN=one,O=A c\""
                                + " reason=no-scope",
                        "INFO administrative PUT /v0/read-only token=boss from=10.0.0.1:1"
                                + " subject=\"CN=?? token=x??[2J?\"",
                        "INFO administrative PUT /v0/read-only token=boss from=10.0.0.1:1 subject=\"CN="
                                + "x".repeat(AuditLog.LONGEST_WORDS - 6) + "...\"");
    }

    @Test
    void anotherCertificateFromTheSameAddressIsSomebodyElse() {
        for (int port = 4000; port < 4010; port++) {
            audit.administrative("GET /metrics", "-", new Peer("10.0.0.1:" + port, "CN=one"));
            audit.administrative("GET /metrics", "-", new Peer("10.0.0.1:" + port, "CN=two"));
        }
        assertThat(kept.lines)
                .containsExactly(
                        "INFO administrative GET /metrics token=- from=10.0.0.1:4000 subject=\"CN=one\"",
                        "INFO administrative GET /metrics token=- from=10.0.0.1:4000 subject=\"CN=two\"");
    }

    @Test
    void aFloodWritesSoManyLinesAMinuteAndHidesNoAdministrator() {
        for (int i = 0; i < 1000; i++) {
            audit.refused("GET /", "-", from("a"), "no-token");
        }
        audit.administrative("GET /metrics", "boss", from("b"));
        assertThat(kept.lines).hasSize(AuditLog.LINES_PER_MINUTE + 1);
        assertThat(kept.lines.getLast()).startsWith("INFO administrative");

        now.addAndGet(TimeUnit.SECONDS.toNanos(59));
        audit.refused("GET /", "-", from("a"), "no-token");
        assertThat(kept.lines).hasSize(AuditLog.LINES_PER_MINUTE + 1);

        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        audit.refused("GET /", "-", from("a"), "no-token");
        audit.refused("GET /", "-", from("a"), "no-token");
        assertThat(kept.lines).hasSize(AuditLog.LINES_PER_MINUTE + 3);
        assertThat(kept.lines.get(AuditLog.LINES_PER_MINUTE + 1)).endsWith("(941 lines were left out before)");
        assertThat(kept.lines.getLast()).endsWith("reason=no-token");
    }

    @Test
    void readsPushOutNoChangeAndTheSameChangeAgainHasALine() {
        for (int i = 0; i < AuditLog.LINES_PER_MINUTE + 1; i++) {
            audit.administrative("GET /metrics", "boss", from("10.0.1." + i + ":4000"));
        }
        kept.lines.clear();
        for (int i = 0; i < AuditLog.LINES_PER_MINUTE + 1; i++) {
            audit.changed("PUT /v0/read-only", "boss", from("10.0.0.1:4000"));
        }
        assertThat(kept.lines)
                .hasSize(AuditLog.LINES_PER_MINUTE)
                .containsOnly("INFO administrative PUT /v0/read-only token=boss from=10.0.0.1:4000");
    }

    /// A page that shows figures asks for them every few seconds, and must not push out what others do.
    @Test
    void whatATokenReadsAgainAndAgainHasOneLineAMinute() {
        for (int i = 0; i < 1000; i++) {
            audit.administrative("GET /metrics", "boss", from("10.0.0.1:" + (4000 + i)));
        }
        assertThat(kept.lines).containsExactly("INFO administrative GET /metrics token=boss from=10.0.0.1:4000");
        audit.administrative("GET /metrics", "boss", from("10.0.0.2:1"));
        audit.administrative("GET /metrics", "other", from("10.0.0.1:1"));
        audit.administrative("GET /ui/slow", "boss", from("10.0.0.1:1"));
        assertThat(kept.lines).hasSize(4);

        now.addAndGet(TimeUnit.MINUTES.toNanos(1));
        audit.administrative("GET /metrics", "boss", from("10.0.0.1:9"));
        assertThat(kept.lines).hasSize(5);
    }
}
