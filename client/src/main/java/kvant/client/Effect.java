package kvant.client;

/// What a call does, for the question whether it may be sent again.
enum Effect {
    READ,
    /// Executed twice it leaves what it leaves when executed once.
    REPEATABLE_WRITE,
    /// Executed twice, the second time is refused by what the first one wrote.
    CONDITIONAL_WRITE
}
