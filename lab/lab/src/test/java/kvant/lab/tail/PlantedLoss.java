package kvant.lab.tail;

import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// What a recorder tells whose buffers were full.
@Name(LostEvents.EVENT)
@StackTrace(false)
public final class PlantedLoss extends Event {

    long amount;

    public static void of(long bytes) {
        PlantedLoss planted = new PlantedLoss();
        planted.amount = bytes;
        planted.commit();
    }
}
