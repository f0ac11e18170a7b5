/// `./kvant prove attack`: what someone does to a node who knows HTTP and the JVM, what a good client sees
/// meanwhile, and when the node is normal again.
///
/// Here and not among the commands of a release, because it is a measurement for developers that starts nodes
/// of its own and compares a figure with the same figure before, as the other benchmarks do, and shares their
/// workbench. A release has no program that attacks.
///
///     AttackCommand -> Trial -> { GoodClient, Newcomer, Vitals } beside an Attack -> Outcome -> Bounds -> table, JSON
///
/// The list of attacks is in [kvant.bench.attack.Attacks] and nowhere else.
@NullMarked
package kvant.bench.attack;

import org.jspecify.annotations.NullMarked;
