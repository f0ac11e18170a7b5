package kvant.engine;

/// A deliberate fault of a [ModelEngine], and the contract tests of which at least one must notice it.
enum Fault {
    /// The engine as it should be.
    NONE,

    GET_SHOWS_EXPIRED("anExpiredValueReadsAsAbsentInPointReads"),
    SCAN_SHOWS_EXPIRED("scansPassOverExpiredValues"),
    SCAN_FORGETS_EXPIRY("aScanShowsWhenAValueExpires"),
    CONDITIONS_SEE_EXPIRED("conditionsTakeAnExpiredValueForAbsent"),
    FORGETS_EXPIRY("endsSurviveAReopen"),
    TAKES_EMPTY_FOR_ABSENT("keepsAnEmptyValueApartFromAbsence"),
    TRY_GET_MISSES("findsWhatWasPut"),
    READS_WHAT_IS_NOT_WANTED("leavesAValueThatIsNotWanted"),
    LEAVES_WHAT_IS_WANTED("givesAValueThatIsWanted"),
    DESCRIBES_EXPIRED("describesNoExpiredValue"),

    SHORT_RANGE_IGNORES_LIMIT("aShortRangeShowsWhatAScanShows"),
    SHORT_RANGE_FORGETS_EXPIRY("aShortRangeSaysWhenItsValuesExpire"),
    SHORT_RANGE_HAS_NO_END("aRangeOfMoreBytesIsNotShort"),

    SCAN_IGNORES_LIMIT("aLimitBoundsTheRecordsOfAScan"),
    SCAN_LIMIT_IS_OFF_BY_ONE("aLimitBoundsTheRecordsOfAScan"),
    SCAN_SHOWS_DELETED("aScanLeavesOutWhatWasDeleted"),
    SCAN_IS_LIVE("aSnapshotKeepsWhatItSawAtItsStart"),
    SCAN_EXCLUDES_START("aScanIncludesItsStartAndExcludesItsEnd"),
    SCAN_INCLUDES_END("aScanIncludesItsStartAndExcludesItsEnd"),
    ORDERS_SIGNED("keysOrderAsUnsignedBytes"),

    LOSES_BATCH_TAIL("aBatchAppliesAllItsMutations"),
    EARLIER_MUTATION_WINS("theLaterOfTwoMutationsOfOneKeyWins"),
    SHOWS_HALF_BATCHES("aBatchIsNeverSeenHalf"),
    REORDERS_WRITES("writesOfOneThreadApplyInTheirOrder"),
    VERSIONS_STAND_STILL("versionsGrowWithEveryWriteOfAKey"),
    VERSIONS_RESTART("versionsGoOnGrowingAfterAReopen"),
    IGNORES_LIMITS("aBatchBeyondTheLimitsIsAProgrammingError"),

    COMPLETES_BEFORE_VISIBLE("aCompletedWriteIsVisibleToEveryLaterRead", "aCompletedWriteIsVisibleInItsOwnCompletion"),
    COMPLETES_TWICE("everyWriteIsCompletedOnceAndThenWoken"),

    JUDGES_CONDITIONS_EARLY("ofManyCreatorsExactlyOneSucceeds", "conditionsSeeTheWritesQueuedBeforeThem"),
    APPLIES_REFUSED_TAIL("aRefusedBatchChangesNothingAtAll"),
    JUDGES_NO_GUARDS("aBatchIsAppliedOnlyWhereAllItsGuardsHold", "ofTransfersBetweenKeysNoneIsLost"),
    READS_AT_SEVERAL_MOMENTS("keysThatAreReadTogetherAreOfOneMoment"),
    READS_EXPIRED("keysThatAreReadTogetherShowVersionAndExpiry"),

    FORGETS_WITHOUT_SYNC("aReopenFindsEverything"),
    READS_AFTER_CLOSE("aClosedEngineRefusesReads", "aClosedEngineRefusesReadsThatMayNotBlock"),
    DROPS_WRITES_AFTER_CLOSE("aClosedEngineFailsWrites"),
    NEVER_READY("anOpenEngineIsReady");

    /// Names of contract tests, each of which must notice.
    final String[] noticedBy;

    Fault(String... noticedBy) {
        this.noticedBy = noticedBy;
    }
}
