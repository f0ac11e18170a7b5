package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvant.server.http.contract.HiddenPaths;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Texts of an engine for its operator, as clients get them.
class HiddenPathsTest {

    private final HiddenPaths paths = new HiddenPaths(List.of("/srv/my data", "/srv/my data/inner/", "/x", ""));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/srv/my data/000007.table is damaged at 42: bad | 000007.table is damaged at 42: bad",
                "the disk of /srv/my data is full: 3 left               | the disk of <directory> is full: 3 left",
                "no space left for /srv/my data/: free some | no space left for <directory>: free some",
                "in /srv/my data/inner/1.sst and /srv/my data//2.sst    | in 1.sst and 2.sst",
                "'/srv/my data'                                         | '<directory>'",
                "/srv/my database/1 failed                              | <path> database/1 failed",
                "/etc/passwd: Permission denied                         | <path>: Permission denied",
                "open (/var/tmp/a.log) failed at '/root'                | open (<path>) failed at '<path>'",
                "/x                                                     | <directory>",
                "/xy/1                                                  | <path>",
                "Input/output error on http://h:80/v0                   | Input/output error on http://h:80/v0",
                "10 bytes/s, reads and/or writes                        | 10 bytes/s, reads and/or writes",
                "nothing to hide                                        | nothing to hide"
            })
    void namesOfFilesStayAndDirectoriesGo(String text, String expected) {
        assertThat(paths.hide(text)).isEqualTo(expected);
    }

    @Test
    void aRelativeDirectoryIsKnownByItsName() {
        HiddenPaths relative = new HiddenPaths(List.of("data", "/srv/data"));
        assertThat(relative.hide("data/1.table is damaged; restore the data directory"))
                .isEqualTo("1.table is damaged; restore the <directory> directory");
        assertThat(relative.hide("/srv/data/1.table, metadata/1")).isEqualTo("1.table, metadata/1");
    }
}
