/// The LSM engine. Programs use `kvant.lsm`; from the other packages it takes records of options.
@SuppressWarnings("requires-automatic") // lz4-java has its name in its manifest alone
module kvant.lsm {
    requires transitive kvant.engine;
    requires static transitive org.jspecify;
    requires com.dynatrace.hash4j;
    requires com.github.luben.zstd_jni;
    requires java.management;
    requires jdk.jfr;
    requires org.lz4.java;

    exports kvant.lsm;
    exports kvant.lsm.commit;
    exports kvant.lsm.compaction;
    exports kvant.lsm.memtable;
    exports kvant.lsm.recover;
    exports kvant.lsm.table;
    exports kvant.lsm.value;
}
