package kvant.lab.tail;

import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The event of a recorder whose buffers were full.
@Name(PlantedLoss.EVENT)
@StackTrace(false)
public final class PlantedLoss extends Event {

    public static final String EVENT = "jdk.DataLoss";

    long amount;

    public static void of(long bytes) {
        PlantedLoss planted = new PlantedLoss();
        planted.amount = bytes;
        planted.commit();
    }
}
