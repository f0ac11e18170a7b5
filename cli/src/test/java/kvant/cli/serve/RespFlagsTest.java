package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// The checks of `serve` on its RESP options before it opens anything.
class RespFlagsTest {

    @Test
    void aPortIsOneThatThereIsAndNotThatOfHttp() {
        assertThat(ServeCommand.obstacle(List.of("--resp-port", "6379"))).isEmpty();
        assertThat(ServeCommand.obstacle(List.of("--resp-port", "0", "--port", "0")))
                .isEmpty();
        assertThat(ServeCommand.obstacle(List.of("--resp-port", "-1")))
                .isEqualTo("the port for RESP is 0 to 65535, not -1");
        assertThat(ServeCommand.obstacle(List.of("--resp-port", "65536")))
                .isEqualTo("the port for RESP is 0 to 65535, not 65536");
        assertThat(ServeCommand.obstacle(List.of("--resp-port", "8080")))
                .isEqualTo("HTTP and RESP have a port each, not both 8080");
    }

    @Test
    void otherMachinesReachItUnderTheRuleOfHttp() {
        assertThat(ServeCommand.obstacle(List.of("--resp-port", "6379", "--host", "0.0.0.0")))
                .startsWith("'--host 0.0.0.0' can be reached from other machines");
        assertThat(ServeCommand.obstacle(
                        List.of("--resp-port", "6379", "--host", "0.0.0.0", "--insecure-no-authentication")))
                .isEmpty();
    }

    @Test
    void aScriptIsBounded() {
        assertThat(ServeCommand.obstacle(List.of(
                        "--resp-script-steps", "100", "--resp-script-memory", "1MiB", "--resp-script-time", "10")))
                .isEmpty();
        assertThat(ServeCommand.obstacle(List.of("--resp-script-steps", "0")))
                .isEqualTo("the instructions of a script are 1 to 1000000000, not 0");
        assertThat(ServeCommand.obstacle(List.of("--resp-script-memory", "2GiB")))
                .isEqualTo("the bytes of memory of a script are 1 to 1073741824, not 2147483648");
        assertThat(ServeCommand.obstacle(List.of("--resp-script-time", "60001")))
                .isEqualTo("the milliseconds of a script are 1 to 60000, not 60001");
    }
}
