package kvant.report.sentence;

import static org.assertj.core.api.Assertions.assertThat;

import kvant.lab.result.Remark;
import kvant.load.run.Reason;
import kvant.report.words.Phrase;
import kvant.report.words.Words;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// English sentences in the files of loads are translated into the language of the report.
class LoadSentencesTest {

    private static final Words RU = new Words(Language.RU);

    private static String ru(Phrase phrase) {
        return RU.say(phrase).replaceAll("«[^»]*»", "");
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void eachIsRussianInARussianReport(Reason reason) {
        String sentence = reason.text("1", "2", "3");

        assertThat(ru(Remarks.phrase(new Remark.Given(sentence))))
                .containsPattern("\\p{IsCyrillic}{4}")
                .doesNotContainPattern("[A-Za-z]{3}");
    }

    @Test
    void englishStaysAsTheLoadSaidIt() {
        assertThat(Remarks.english(new Remark.Given("no request was answered: reset")))
                .isEqualTo("no request was answered: reset");
        assertThat(Remarks.english(new Remark.Given("it rained"))).isEqualTo("it rained");
    }
}
