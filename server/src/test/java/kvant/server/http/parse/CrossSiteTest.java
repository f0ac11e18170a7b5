package kvant.server.http.parse;

import static org.assertj.core.api.Assertions.assertThat;

import kvant.server.http.contract.Authority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which origins are those of the node itself.
class CrossSiteTest {

    @ParameterizedTest
    @CsvSource({
        "http://kvant.example,        kvant.example,     true",
        "https://kvant.example,       kvant.example,     true",
        "https://kvant.example,       kvant.example:443, true",
        "https://kvant.example,       kvant.example:80,  false",
        "http://kvant.example:8080,   KVANT.example:8080, true",
        "http://kvant.example:8080,   kvant.example,     false",
        "http://[::1]:8080,           [::1]:8080,        true",
        "http://127.0.0.1:3000,       127.0.0.1:8080,    false",
        "http://localhost:8080,       127.0.0.1:8080,    false",
        "http://kvant.example.evil,   kvant.example,     false",
        "http://evil.kvant.example,   kvant.example,     false",
        "chrome-extension://abc,      abc,               false",
        "null,                        null,              false",
        "http://,                     '',                false",
        "'',                          '',                false"
    })
    void anOriginIsTheNodesOwnByHostAndPort(String origin, String host, boolean own) {
        assertThat(CrossSite.isForeignOrigin(origin, Authority.parse(host))).isNotEqualTo(own);
    }

    @Test
    void aRequestWithoutAHostHasNoOriginOfItsOwn() {
        assertThat(CrossSite.isForeignOrigin("http://kvant.example", null)).isTrue();
    }
}
