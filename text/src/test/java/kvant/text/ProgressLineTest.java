package kvant.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

    private final StringWriter text = new StringWriter();

    private ProgressLine line(boolean terminal) {
        return new ProgressLine(new PrintWriter(text), terminal);
    }

    @Test
    void drawsOverWhatItDrewAndLeavesNothingBehind() {
        try (ProgressLine line = line(true)) {
            line.draw("1 of 2");
            line.draw("2 of 2");
        }

        assertThat(text.toString())
                .isEqualTo("\r\u001b[K\u001b[?7l1 of 2\u001b[?7h\r\u001b[K\u001b[?7l2 of 2\u001b[?7h\r\u001b[K");
    }

    @Test
    void givesALineThatStaysARowOfItsOwn() {
        try (ProgressLine line = line(true)) {
            line.draw("1 of 2");
            line.note("half");
        }

        assertThat(text.toString()).endsWith("\r\u001b[Kkvant: half" + System.lineSeparator());
    }

    @Test
    void saysOnlyWhatStaysWhereThereIsNoTerminal() {
        try (ProgressLine line = line(false)) {
            line.draw("1 of 2");
            line.line("half");
        }

        assertThat(text.toString()).isEqualTo("half" + System.lineSeparator());
    }
}
