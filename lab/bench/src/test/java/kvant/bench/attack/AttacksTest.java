package kvant.bench.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.bench.QuickNodes;
import kvant.bench.process.Workbench;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every attack in its short form, on a node of its own: a second, fewer connections, less memory to fill. Asserts what
/// happens and not how fast: the node answers afterwards, nobody is refused or broken off, newcomers get in, and what
/// was acknowledged is there. `./kvant prove attack all` has the figures.
class AttacksTest {

    @BeforeAll
    static void startQuickly() {
        QuickNodes.use();
    }

    static List<Attack> attacks() {
        return Attacks.ALL;
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void harmsNobodyElse(Attack attack) throws IOException, InterruptedException {
        Outcome outcome;
        try (Workbench bench = Workbench.open()) {
            outcome = AttackTrial.run(bench, attack, Effort.test());
        }

        assertThat(Bounds.functional(outcome)).as(outcome.toString()).isEmpty();
        assertThat(outcome.acknowledged()).isPositive();
        assertThat(outcome.attackers())
                .allSatisfy(swarm -> assertThat(swarm.opened())
                        .as("connections of the attackers")
                        .isPositive());
    }

    @Test
    void namesAreUnique() {
        List<String> names = Attacks.ALL.stream().map(Attack::name).toList();

        assertThat(names).doesNotHaveDuplicates();
    }

    @Test
    void theDocumentNamesEachAttack() throws IOException {
        String document = Files.readString(Path.of("../../docs/dev/security-tests.md"));

        assertThat(Attacks.ALL)
                .allSatisfy(
                        attack -> assertThat(document).contains("| `" + attack.name() + "` | " + attack.what() + " |"));
    }
}
