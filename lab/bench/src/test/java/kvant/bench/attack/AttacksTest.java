package kvant.bench.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import kvant.lab.process.Workbench;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Attacks in their short form, each on a node of its own: a second, fewer connections, less memory to fill. Asserts
/// outcomes and no times: the node answers afterwards, no other client is refused or broken off, newcomers get in, and
/// acknowledged writes are there. `./kvant prove attack all` has the figures.
class AttacksTest {

    @BeforeAll
    static void startQuickly() {
        QuickNodes.use("-Xmx512m");
    }

    /// On memory, on turns, by connections, from a web page, and on what the node stands on.
    private static final Set<String> ONE_OF_EACH_KIND =
            Set.of("announced-bodies", "head-of-large-values", "churn", "foreign-origin", "removed-data-directory");

    static List<Attack> oneOfEachKind() {
        return attacks(true);
    }

    static List<Attack> theOthers() {
        return attacks(false);
    }

    private static List<Attack> attacks(boolean oneOfEachKind) {
        List<Attack> attacks = Attacks.ALL.stream()
                .filter(attack -> ONE_OF_EACH_KIND.contains(attack.name()) == oneOfEachKind)
                .toList();
        assertThat(attacks)
                .hasSize(oneOfEachKind ? ONE_OF_EACH_KIND.size() : Attacks.ALL.size() - ONE_OF_EACH_KIND.size());
        return attacks;
    }

    @ParameterizedTest
    @MethodSource("oneOfEachKind")
    void harmsNobodyElse(Attack attack) throws IOException, InterruptedException {
        attempt(attack);
    }

    @ParameterizedTest
    @MethodSource("theOthers")
    @Tag("full") // a minute: a node for each
    void noneOfTheOthersDoesEither(Attack attack) throws IOException, InterruptedException {
        attempt(attack);
    }

    private static void attempt(Attack attack) throws IOException, InterruptedException {
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
