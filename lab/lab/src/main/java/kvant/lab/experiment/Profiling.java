package kvant.lab.experiment;

import java.time.Duration;
import java.util.List;

/// The profiling of an experiment, in separate steps after the measured ones.
///
/// @param events of `cpu`, `alloc`, `lock`, `wall`; empty for no profiles
/// @param threads whether stacks are separated by thread
/// @param duration of the load under the profiler; zero for that of the phase
/// @param slowNanos requests that took longer get a separate flame graph; 0 for none
/// @param variants to profile; empty for all
/// @param phases to profile; empty for all
public record Profiling(
        List<String> events,
        boolean threads,
        Duration duration,
        long slowNanos,
        List<String> variants,
        List<String> phases) {

    public static final List<String> EVENTS = List.of("cpu", "alloc", "lock", "wall");

    static final Profiling NONE = new Profiling(List.of(), false, Duration.ZERO, 0, List.of(), List.of());

    public Profiling {
        events = List.copyOf(events);
        variants = List.copyOf(variants);
        phases = List.copyOf(phases);
    }

    /// The same for only these variants and phases.
    Profiling only(List<String> variantNames, List<String> phaseNames) {
        List<String> ownVariants =
                variants.stream().filter(variantNames::contains).toList();
        List<String> ownPhases = phases.stream().filter(phaseNames::contains).toList();
        boolean nothing = ownVariants.isEmpty() && !variants.isEmpty() || ownPhases.isEmpty() && !phases.isEmpty();
        return nothing ? NONE : new Profiling(events, threads, duration, slowNanos, ownVariants, ownPhases);
    }

    public boolean isWanted() {
        return !events.isEmpty();
    }

    public boolean covers(Variant variant, Phase phase) {
        return isWanted()
                && (variants.isEmpty() || variants.contains(variant.name()))
                && (phases.isEmpty() || phases.contains(phase.name()));
    }
}
