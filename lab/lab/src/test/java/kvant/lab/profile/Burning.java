package kvant.lab.profile;

import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// A process that burns what a profiler can see, each in a method of its own. It tells of its slow
/// requests on stdout, and of all requests through the JVM's recorder, as a node does. It ends with its
/// stdin, or after two minutes.
final class Burning {

    static final long SLOW_NANOS = 120_000_000;
    private static final long QUICK_NANOS = 8_000_000;
    private static final int QUICK_ONES = 20;

    private static final Object LOCK = new Object();

    private static volatile Object sink = "";
    private static volatile double result;

    @Name("kvant.Request")
    @StackTrace(false)
    static final class RequestEvent extends Event {

        Thread worker = Thread.currentThread();
    }

    private Burning() {}

    public static void main(String[] arguments) throws Exception {
        Thread.ofPlatform().name("holder").daemon().start(Burning::hold);
        Thread.ofPlatform().name("burner").daemon().start(Burning::burn);
        Thread.ofPlatform().daemon().start(() -> {
            LockSupport.parkNanos(120_000_000_000L);
            Runtime.getRuntime().halt(1);
        });
        while (System.in.read() >= 0) {
            // until the parent process goes away
        }
        System.exit(0); // in order, so that the JVM's recorder leaves nothing behind
    }

    private static void burn() {
        System.out.println("ready");
        while (true) {
            for (int i = 0; i < QUICK_ONES; i++) {
                RequestEvent event = new RequestEvent();
                event.begin();
                burnProcessor(System.nanoTime() + QUICK_NANOS);
                event.commit();
            }
            burnMemory();
            burnLock();
            RequestEvent event = new RequestEvent();
            event.begin();
            long from = System.nanoTime();
            burnSlowly(from + SLOW_NANOS);
            long to = System.nanoTime();
            event.commit();
            System.out.println("slow " + from + " " + to);
        }
    }

    private static void burnProcessor(long untilNanos) {
        spin(untilNanos);
    }

    private static void burnSlowly(long untilNanos) {
        spin(untilNanos);
    }

    private static void spin(long untilNanos) {
        double sum = 0;
        for (int i = 0; System.nanoTime() < untilNanos; i++) {
            sum += Math.sqrt(i);
        }
        result = sum;
    }

    private static void burnMemory() {
        for (int i = 0; i < 2_000; i++) {
            sink = new byte[10_000];
        }
    }

    private static void burnLock() {
        for (int i = 0; i < 3; i++) {
            synchronized (LOCK) {
                sink = "held";
            }
            LockSupport.parkNanos(1_000_000); // lets the other one have it
        }
    }

    private static void hold() {
        while (true) {
            synchronized (LOCK) {
                LockSupport.parkNanos(5_000_000);
            }
            LockSupport.parkNanos(100_000);
        }
    }
}
