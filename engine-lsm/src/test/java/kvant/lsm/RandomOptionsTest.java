package kvant.lsm;

class RandomOptionsTest extends RandomOptionsContract {}
