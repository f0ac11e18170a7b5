package kvant.move.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import kvant.engine.EngineException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// No node serves a store that others have left, or a copy that is not whole.
class MirrorMarksTest {

    @TempDir
    Path folder;

    private Path from = Path.of("");
    private Path to = Path.of("");

    @BeforeEach
    void makeDirectories() throws Exception {
        from = Files.createDirectory(folder.resolve("from"));
        to = Files.createDirectory(folder.resolve("to"));
    }

    private MirrorMarks marks(boolean overwrites) {
        return new MirrorMarks(from, "lsm from", to, "lsm to", overwrites);
    }

    private static void assertServes(Path directory) {
        assertThatCode(() -> MirrorMarks.refuseToServe(directory)).doesNotThrowAnyException();
    }

    @Test
    void aCopyIsServedOnlyWhenItIsWhole() {
        assertServes(from);
        assertServes(to);
        marks(false).began();
        assertServes(from);
        assertThatThrownBy(() -> MirrorMarks.refuseToServe(to))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("unfinished copy of lsm from")
                .hasMessageContaining(to.resolve("MIRROR").toString());

        marks(false).switched();

        assertServes(to);
        assertThatThrownBy(() -> MirrorMarks.refuseToServe(from)).hasMessageContaining("have moved to lsm to");
    }

    @Test
    void onlyAMoveThatWasBegunGoesOn() {
        assertThat(marks(false).mayOverwrite()).isFalse();
        assertThat(marks(true).mayOverwrite()).isTrue();
        marks(false).began();
        assertThat(marks(false).mayOverwrite()).isTrue();
        assertThatCode(() -> marks(false).check()).doesNotThrowAnyException();

        MirrorMarks other = new MirrorMarks(null, "cassandra keyspace kvant", to, "lsm to", false);

        assertThat(other.mayOverwrite()).isFalse();
        assertThatThrownBy(other::check).hasMessageContaining("another move, with lsm from");
    }

    @Test
    void aStoreThatHasTakenOverIsNotCopiedOver() {
        MirrorMarks back = new MirrorMarks(null, "cassandra keyspace kvant", to, "lsm to", false);
        back.began();
        back.switched();

        assertServes(to);
        assertThatThrownBy(back::check).hasMessageContaining("has taken over from cassandra keyspace kvant");
        assertThatCode(() -> new MirrorMarks(null, "x", to, "lsm to", true).check())
                .doesNotThrowAnyException();
    }

    @Test
    void aClusterIsKnownByTheOtherSide() {
        MirrorMarks away = new MirrorMarks(from, "lsm from", null, "cassandra keyspace kvant", false);
        assertThat(away.mayOverwrite()).isFalse();
        away.began();
        assertThat(away.mayOverwrite()).isTrue();
        assertThat(new MirrorMarks(from, "lsm from", null, "cassandra keyspace other", false).mayOverwrite())
                .isFalse();
    }

    @Test
    void aMarkThatCannotBeReadStopsTheNode() throws Exception {
        Files.writeString(from.resolve("MIRROR"), "nonsense\n");

        assertThatThrownBy(() -> MirrorMarks.refuseToServe(from))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("cannot be read");
    }
}
