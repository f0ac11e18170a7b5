package kvant.bench.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControlGroupTest {

    /// As `gnu_dev_major` and `gnu_dev_minor` of glibc take a number apart.
    @Test
    void aDeviceIsNamedByMajorAndMinorNumber() {
        assertThat(ControlGroup.device(0x0801)).isEqualTo("8:1");
        assertThat(ControlGroup.device(0x0010_0801)).isEqualTo("8:257");
    }
}
