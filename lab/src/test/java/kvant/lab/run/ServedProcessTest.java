package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServedProcessTest {

    @Test
    void settingsThatSomebodyHasForNodesOfHisOwnReachNoServerThatIsMeasured() {
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH", "/bin", "KVANT_EXECUTOR", "sync", "KVANT_CONFIG", "mine.yaml", "KVANT_JAVA_HOME", "/jdk"));

        ServedProcess.leaveOutSettings(environment);

        assertThat(environment).containsOnlyKeys("PATH", "KVANT_JAVA_HOME");
    }
}
