package kvant.prove.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import kvant.client.Key;
import kvant.client.KvantClient;
import kvant.lab.run.ServedNode;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Violation;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store that is not as the journal says is a violation, whatever is wrong with it.
class JournalTest {

    @TempDir
    Path folder;

    private Stage stage;
    private ServedNode node;
    private KvantClient client;

    @BeforeAll
    static void quickNodes() {
        QuickNodes.use("-Xmx256m", "-XX:+UseSerialGC");
    }

    @BeforeEach
    void start() throws Exception {
        stage = new Stage(folder, 7, Duration.ZERO, 1, _ -> {});
        node = ServedNode.start(stage, folder.resolve("data"), Stage.node("--durability", "none"));
        client = KvantClient.of(node.uri());
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private Journal written(Habits habits, int writes) throws Exception {
        Journal journal = new Journal(stage, habits.upTo(2_000).forEver());
        journal.write(node.uri());
        await().atMost(Duration.ofSeconds(60)).until(() -> journal.acknowledged() >= writes);
        journal.stop();
        return journal;
    }

    @Test
    void aStoreThatHasAllIsAsTheJournalSays() throws Exception {
        Journal journal = written(Habits.ALL, 400);
        Figures figures = new Figures();
        new Check(journal, node.uri(), figures).all();
        assertThat(figures.number("writes checked")).isGreaterThanOrEqualTo(400);
        assertThat(figures.number("keys read")).isEqualTo(Habits.ALL.keys());
        assertThat(folder.resolve("journal")).exists();
    }

    @Test
    void whatIsLostOlderChangedOrNewIsAViolation() throws Exception {
        Journal journal = written(Habits.PUTS, 2_000);
        new Check(journal, node.uri(), new Figures()).all();
        Entry entry = journal.entries.stream()
                .filter(one -> !one.before.isAbsent())
                .findFirst()
                .orElseThrow();
        State was = entry.before;

        client.delete(entry.key);
        assertViolated(journal, "was acknowledged, and there is nothing");

        client.put(entry.key, was.bytes()); // another version of the same bytes
        assertViolated(journal, "no write made this");

        State newer = State.of(journal.operations.incrementAndGet(), 100);
        entry.writes.add(new Entry.Write(newer, false, 0, 0));
        entry.before = was.withVersion(0);
        assertViolated(journal, "lost, an older state is back");

        entry.writes.clear();
        client.put(Key.of("w-stranger"), new byte[] {1});
        assertViolated(journal, "the range has key w-stranger");
    }

    @Test
    void halfABatchIsAViolation() throws Exception {
        Journal journal = new Journal(stage, Habits.PUTS);
        for (int i = 0; i < 2; i++) {
            State state = State.of(i + 1, 50);
            journal.entries.get(i).writes.add(new Entry.Write(state, true, 0, 77));
            journal.entries.get(i).frozen = true;
        }
        client.put(journal.entries.getFirst().key, State.of(1, 50).bytes());
        assertViolated(journal, "batch 77 is there by half");
    }

    @Test
    void aHoleInThePrefixIsAViolationAndALostEndIsMeasured() throws Exception {
        Journal journal = written(Habits.PUTS, 2_000);
        Entry newest = journal.entries.stream()
                .max((one, other) ->
                        Long.compare(one.certain().version(), other.certain().version()))
                .orElseThrow();
        client.delete(newest.key);
        newest.writes.subList(0, newest.writes.size() - 1).clear(); // before it the key had nothing
        Figures figures = new Figures();
        long ackNanos = newest.writes.getLast().ackNanos();
        long lost = new Check(journal, node.uri(), figures)
                .prefix(ackNanos + Duration.ofMillis(40).toNanos());
        assertThat(lost).isEqualTo(40);
        assertThat(figures.number("acknowledged and lost")).isEqualTo(1);

        Journal other = written(Habits.PUTS, 2_000);
        Entry older = other.entries.stream()
                .filter(one -> !one.writes.isEmpty())
                .min((one, another) ->
                        Long.compare(one.certain().version(), another.certain().version()))
                .orElseThrow();
        client.delete(older.key);
        older.writes.subList(0, older.writes.size() - 1).clear();
        assertThatThrownBy(() -> new Check(other, node.uri(), new Figures()).prefix(System.nanoTime()))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("a hole");
    }

    private void assertViolated(Journal journal, String why) {
        assertThatThrownBy(() -> new Check(journal, node.uri(), new Figures()).all())
                .isInstanceOf(Violation.class)
                .hasMessageContaining(why);
    }
}
