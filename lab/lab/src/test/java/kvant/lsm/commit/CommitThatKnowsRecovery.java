package kvant.lsm.commit;

import kvant.lsm.recover.RecoveryReport;

/// Runs into a wall on purpose; see WallsTest.
public record CommitThatKnowsRecovery(RecoveryReport knows1) {}
