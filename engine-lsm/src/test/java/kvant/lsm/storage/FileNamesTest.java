package kvant.lsm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class FileNamesTest {

    @Test
    void aNumberIsFoundAgainInItsName() {
        for (long number : new long[] {1, 7, 99_999_999, 100_000_000, Long.MAX_VALUE}) {
            assertThat(FileNames.logNumber(FileNames.log(number))).isEqualTo(number);
            assertThat(FileNames.tableNumber(FileNames.table(number))).isEqualTo(number);
        }
        assertThat(FileNames.log(7)).isEqualTo("00000007.log");
        assertThat(FileNames.table(7)).isEqualTo("00000007.table");
    }

    @Test
    void otherFilesHaveNoNumber() {
        for (String name : new String[] {
            "MANIFEST", "7.log", "+0000007.log", "-0000007.log", "000000007.log", ".log", "x.log", "00000007.log.bak"
        }) {
            assertThat(FileNames.logNumber(name)).as(name).isNull();
        }
        assertThat(FileNames.tableNumber(FileNames.log(7))).isNull();
    }

    @Test
    void namesDoNotDependOnTheLocale() {
        Locale usual = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertThat(FileNames.log(7)).isEqualTo("00000007.log");
        } finally {
            Locale.setDefault(usual);
        }
    }
}
