package kvant.lsm.commit;

/// What writes are slowed down or stopped for.
enum StallCause {
    MEMTABLES("memtables", 0.05, "full memtables wait for their flush"),
    LEVEL_ZERO("level-zero", 1, "runs of tables wait for their compaction"),
    COMPACTION_DEBT("compaction-debt", 30, "bytes of tables wait for their compaction");

    private final String label;
    private final double patience;
    private final String explanation;

    StallCause(String label, double patience, String explanation) {
        this.label = label;
        this.patience = patience;
        this.explanation = explanation;
    }

    /// For metrics and events.
    String label() {
        return label;
    }

    /// How long it takes to be over, beside a merge of level 0.
    double patience() {
        return patience;
    }

    /// For a person.
    String explanation() {
        return explanation;
    }
}
