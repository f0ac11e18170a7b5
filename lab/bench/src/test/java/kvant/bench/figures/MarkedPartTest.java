package kvant.bench.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import kvant.text.UserException;
import org.junit.jupiter.api.Test;

class MarkedPartTest {

    @Test
    void onlyWhatIsBetweenTheMarksOfItsNameIsWritten() {
        String document = "a<!-- b: begin -->old<!-- b: end -->c<!-- d: begin -->old<!-- d: end -->e";

        assertThat(MarkedPart.replaced(document, "d", "new"))
                .isEqualTo("a<!-- b: begin -->old<!-- b: end -->c<!-- d: begin -->\nnew\n<!-- d: end -->e");
    }

    @Test
    void aDocumentWithoutTheMarksIsRefused() {
        assertThatThrownBy(() -> MarkedPart.replaced("<!-- b: begin --><!-- b: end -->", "d", "new"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("<!-- d: begin -->");
    }
}
