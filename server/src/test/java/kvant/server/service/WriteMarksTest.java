package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import kvant.engine.Mutation;
import kvant.engine.WriteBatch;
import org.junit.jupiter.api.Test;

class WriteMarksTest {

    private static final byte[] KEY = {1, 2};
    private static final byte[] OTHER = {1, 3};

    private final WriteMarks marks = new WriteMarks();

    @Test
    void aMarkStaysUntilItsKeyIsWritten() {
        long before = marks.of(KEY);
        long ofOther = marks.of(OTHER);
        WriteBatch batch = WriteBatch.put(new byte[] {7}, KEY).and(new Mutation.Delete(KEY));
        marks.begun(batch);
        assertThat(marks.of(KEY)).isEqualTo(WriteMarks.UNSURE);
        marks.ended(batch);
        assertThat(marks.of(KEY)).isGreaterThan(before);
        assertThat(marks.of(OTHER)).isEqualTo(ofOther);
    }

    @Test
    void aMarkIsUnsureUntilTheLastOfTwoWritesHasEnded() {
        WriteBatch batch = WriteBatch.delete(KEY);
        marks.begun(batch);
        marks.begun(batch);
        marks.ended(batch);
        assertThat(marks.of(KEY)).isEqualTo(WriteMarks.UNSURE);
        marks.ended(batch);
        assertThat(marks.of(KEY)).isNotNegative();
    }
}
