package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import org.junit.jupiter.api.Test;

/// `ack=A&from=F` as consistency levels.
class ConsistencyLevelsTest {

    @Test
    void aRequestThatDoesNotSayGetsAQuorum() {
        assertThat(new ConsistencyLevels(3, false).of(0)).isEqualTo(DefaultConsistencyLevel.QUORUM);
        assertThat(new ConsistencyLevels(3, true).of(0)).isEqualTo(DefaultConsistencyLevel.LOCAL_QUORUM);
    }

    @Test
    void eachNumberHasItsLevel() {
        ConsistencyLevels three = new ConsistencyLevels(3, false);
        assertThat(three.of(1)).isEqualTo(DefaultConsistencyLevel.ONE);
        assertThat(three.of(2)).isEqualTo(DefaultConsistencyLevel.QUORUM);
        assertThat(three.of(3)).isEqualTo(DefaultConsistencyLevel.ALL);
        ConsistencyLevels five = new ConsistencyLevels(5, false);
        assertThat(five.of(2)).isEqualTo(DefaultConsistencyLevel.TWO);
        assertThat(five.of(3)).isEqualTo(DefaultConsistencyLevel.QUORUM);
        assertThat(five.of(4)).isNull();
        assertThat(five.of(5)).isEqualTo(DefaultConsistencyLevel.ALL);
        assertThat(new ConsistencyLevels(7, false).of(3)).isEqualTo(DefaultConsistencyLevel.THREE);
    }

    @Test
    void ofOneDatacenterOnlyOneAndAQuorumCanBeAsked() {
        ConsistencyLevels local = new ConsistencyLevels(3, true);
        assertThat(local.of(1)).isEqualTo(DefaultConsistencyLevel.LOCAL_ONE);
        assertThat(local.of(2)).isEqualTo(DefaultConsistencyLevel.LOCAL_QUORUM);
        assertThat(local.of(3)).isNull();
    }
}
