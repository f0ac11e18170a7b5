package kvant.cli;

import kvant.lab.run.Instruments;

/// What a run of the laboratory looks deeper with.
final class LabInstruments implements Instruments {}
