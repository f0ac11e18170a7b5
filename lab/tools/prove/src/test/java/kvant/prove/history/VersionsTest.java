package kvant.prove.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import kvant.prove.history.Operation.Cell;
import org.junit.jupiter.api.Test;

class VersionsTest {

    private final List<Operation> history = new ArrayList<>();

    private void put(int key, int value, long version, long called, long ended) {
        history.add(Operation.asked("PUT", List.of(), new Cell(key, value))
                .done(version)
                .at(1, called, ended));
    }

    @Test
    void aLaterWriteHasAGreaterVersion() {
        put(0, 1, 10, 0, 5);
        put(1, 2, 9, 4, 8);
        assertThat(Versions.fault(history)).as("they overlap").isEmpty();
        put(2, 3, 8, 6, 8);
        assertThat(Versions.fault(history)).startsWith("a version went back").contains("version=8");
    }

    @Test
    void aVersionBelongsToOneValueAndAValueToOneVersion() {
        put(0, 1, 10, 0, 1);
        history.add(Operation.asked("GET", List.of()).done(10, new Cell(0, 1)).at(1, 2, 3));
        assertThat(Versions.fault(history)).isEmpty();
        history.add(Operation.asked("GET", List.of()).done(11, new Cell(0, 1)).at(1, 4, 5));
        assertThat(Versions.fault(history)).startsWith("two versions of a value");
        history.removeLast();
        history.add(Operation.asked("GET", List.of()).done(10, new Cell(0, 2)).at(1, 4, 5));
        assertThat(Versions.fault(history)).startsWith("two versions of a value");
    }
}
