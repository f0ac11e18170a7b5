<?php
// What libraries of PHP do with the port that is given. A line for each: its name, what came of it.
$port = (int) $argv[1];

if (!extension_loaded('redis')) {
    exit("no extension for Redis\n");
}

set_error_handler(function ($level, $message) {
    throw new ErrorException($message);
});

function check($actual, $expected)
{
    if ($actual !== $expected) {
        throw new Exception(var_export($actual, true) . ' instead of ' . var_export($expected, true));
    }
}

function phpredis()
{
    global $port;
    $redis = new Redis();
    $redis->connect('127.0.0.1', $port, 5);
    check($redis->set('php:k', 'v', ['nx', 'ex' => 60]), true);
    check($redis->get('php:k'), 'v');
    check($redis->get('php:missing'), false);
    check($redis->multi()->set('php:n', 1)->incr('php:n')->exec(), [true, 2]);
    check($redis->eval("return redis.call('INCRBY', KEYS[1], ARGV[1])", ['php:n', 10], 1), 12);
    check($redis->mget(['php:k', 'php:missing']), ['v', false]);
    check($redis->unlink('php:k', 'php:n'), 2);
}

/// @param locking whether requests of one session wait for each other
function sessions($locking)
{
    global $port;
    ini_set('session.use_cookies', '0');
    ini_set('session.cache_limiter', '');
    ini_set('session.save_handler', 'redis');
    ini_set('session.save_path', "tcp://127.0.0.1:$port?prefix=php:session:");
    ini_set('redis.session.locking_enabled', $locking ? '1' : '0');
    session_id('abc' . (int) $locking);
    session_start();
    $_SESSION['user'] = 7;
    session_write_close();
    $_SESSION = [];
    session_start();
    check($_SESSION['user'] ?? null, 7);
    session_regenerate_id(true);
    session_write_close();
    session_start();
    check($_SESSION['user'] ?? null, 7);
    session_destroy();
    session_start();
    check($_SESSION, []);
    session_destroy();
}

ob_start(); // a session wants to send headers
$said = [];
foreach (['phpredis' => 'phpredis', 'sessions' => fn() => sessions(false), 'sessions with locks' => fn() => sessions(true)]
        as $name => $what) {
    try {
        $what();
        $came = 'runs';
    } catch (Throwable $e) {
        $came = 'fails: ' . strtok($e->getMessage(), "\n");
    }
    $said[] = "$name | phpredis " . phpversion('redis') . " | $came\n";
}
ob_end_clean();
echo implode('', $said);
