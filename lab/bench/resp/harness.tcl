# What the programs of Redis' tests need of a server before each block of tests, and Kvant has no command for. Read by
# the programs themselves: lab/bench/resp/redis-tests adds it to their support.

# Empties the store through a connection of its own, so that it does not matter in which mode the one of the test is.
proc ::redis::empty_store {id} {
    set client [redis {*}$::redis::addr($id)]
    set cursor 0
    while 1 {
        lassign [$client scan $cursor count 1000] cursor keys
        if {[llength $keys] > 0} {
            $client del {*}$keys
        }
        if {$cursor == 0} {
            break
        }
    }
    $client close
    return OK
}

proc ::redis::__method__flushall {id fd args} {
    ::redis::empty_store $id
}

proc ::redis::__method__flushdb {id fd args} {
    ::redis::empty_store $id
}

# Asked for `FUNCTION FLUSH` alone; there are no functions to be taken away.
proc ::redis::__method__function {id fd args} {
    return OK
}

# Blocks name settings of Redis that they want. Kvant has none of these, and the tests are run without them.
rename start_server start_server_with_settings
proc start_server {options {code undefined}} {
    set kept {}
    foreach {option value} $options {
        if {$option ne "overrides"} {
            lappend kept $option $value
        }
    }
    uplevel 1 [list start_server_with_settings $kept $code]
}
