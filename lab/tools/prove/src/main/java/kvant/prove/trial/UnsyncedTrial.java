package kvant.prove.trial;

import kvant.prove.fault.LoopDisk.FileSystem;
import kvant.prove.journal.Habits;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Trial;

/// Row 4: power cuts under a policy that acknowledges before the sync.
///
/// @param policy of durability
/// @param mostMillis that may be lost, beside a sync
public record UnsyncedTrial(String name, String policy, long mostMillis, String promise) implements Trial {

    @Override
    public int row() {
        return 4;
    }

    @Override
    public String obstacle() {
        return FileSystem.EXT4.obstacle();
    }

    @Override
    public Figures run(Stage stage) throws Exception {
        return Deaths.cutUnsynced(new StoreRun(stage, Habits.PUTS, StoreRun.lsm(policy)), policy, mostMillis);
    }
}
