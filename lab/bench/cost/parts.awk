# Divides the samples of cpu.collapsed (kvant profile -t) among the parts of a request.
#
#   awk -v us=MICROSECONDS_PER_REQUEST -f lab/bench/cost/parts.awk cpu.collapsed
#
# A sample belongs to the first part whose frame is anywhere on its stack, so that what is called by a part is in it.

function has(frame) { return index(stack, frame) > 0 }

function ofLoop() {
    if (has("__x64_sys_sendto") || has("Socket.send")) return "loop: send"
    if (has("epollWait")) return "loop: wait for events"
    if (has("recvAddress") || has("__x64_sys_recvfrom")) return "loop: receive"
    if (has("LockSupport.unpark")) return "loop: wake the commit thread"
    if (has("kvant/lsm") || has("kvant/engine")) return "loop: engine"
    if (has("parse/Lines.") || has("RequestReader.line") || has("RequestReader.conclude")) return "loop: parse"
    if (has("AnswerWriter")) return "loop: answer"
    if (has("kvant/server")) return "loop: rest of Kvant"
    if (has("io/netty")) return "loop: rest of Netty"
    return "loop: other"
}

function ofCommit() {
    if (has("fdatasync")) return "commit: sync the log"
    if (has("CommitLog.applyAll")) return "commit: memtable"
    if (has("CommitLog.append") || has("GroupJudge")) return "commit: encode, append to the log"
    if (has("LoopMailbox") || has("eventFd")) return "commit: wake the loops"
    return "commit: other"
}

function part() {
    thread = substr(stack, 1, index(stack ";", ";"))
    if (thread ~ /kvant-loop/) return ofLoop()
    if (thread ~ /lsm-commit/) return ofCommit()
    if (thread ~ /kvant-lsm/) return "flush, merges, change of logs"
    if (thread ~ /Compiler|CompilerThre/) return "JIT compilers"
    return "other threads"
}

{
    weight = $NF
    stack = substr($0, 1, length($0) - length(weight) - 1)
    samples[part()] += weight
    all += weight
}

END {
    for (name in samples) {
        printf "%08d|%s|%.2f|%.1f\n", samples[name], name, us * samples[name] / all, 100 * samples[name] / all
    }
}
