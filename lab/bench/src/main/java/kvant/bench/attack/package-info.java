/// `./kvant prove attack`: attacks on a node by an expert in HTTP and the JVM, the service for a good client meanwhile,
/// and the node's recovery time.
///
/// It is not a command of a release, because it is a measurement for developers. Like other benchmarks it starts its
/// own nodes, compares figures with those before, and uses the shared workbench. A release contains no attacking
/// program.
///
///     AttackCommand -> Trial -> { GoodClient, Newcomer, Vitals } during an Attack -> Outcome -> Bounds -> table, JSON
///
/// The list of attacks is only in [kvant.bench.attack.Attacks].
@NullMarked
package kvant.bench.attack;

import org.jspecify.annotations.NullMarked;
