package kvant.lsm.commit;

/// What writes are slowed down or stopped for.
enum StallCause {
    MEMTABLES("memtables", "full memtables wait for their flush"),
    LEVEL_ZERO("level-zero", "runs of tables wait for their compaction"),
    COMPACTION_DEBT("compaction-debt", "bytes of tables wait for their compaction");

    private final String label;
    private final String explanation;

    StallCause(String label, String explanation) {
        this.label = label;
        this.explanation = explanation;
    }

    /// For metrics and events.
    String label() {
        return label;
    }

    /// For a person.
    String explanation() {
        return explanation;
    }
}
