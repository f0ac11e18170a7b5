package kvant.bench.attack;

/// One way to harm a node.
///
/// @param what it does, in a sentence
/// @param promise what holds besides the [Bounds] of all attacks, or empty
record Attack(String name, String what, String promise, Conditions conditions, Assault assault) {

    static Attack of(String name, String what, Conditions conditions, Assault assault) {
        return new Attack(name, what, "", conditions, assault);
    }

    Attack promising(String more) {
        return new Attack(name, what, more, conditions, assault);
    }
}
