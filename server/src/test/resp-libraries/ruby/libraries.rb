# What libraries of Ruby do with the port that is given. A line for each: its name, what came of it.
require 'redis'
require 'sidekiq'

URL = "redis://127.0.0.1:#{ARGV[0]}/0"

def check(actual, expected)
  raise "#{actual.inspect} instead of #{expected.inspect}" unless actual == expected
end

def redis_rb
  redis = Redis.new(url: URL)
  check redis.set('ruby:k', 'v', nx: true, ex: 60), true
  check redis.get('ruby:k'), 'v'
  check redis.multi { |pipe| pipe.set('ruby:n', 1); pipe.incr('ruby:n') }, ['OK', 2]
  check redis.eval("return redis.call('INCRBY', KEYS[1], ARGV[1])", keys: ['ruby:n'], argv: [10]), 12
  check redis.mget('ruby:k', 'ruby:missing'), ['v', nil]
  check redis.unlink('ruby:k', 'ruby:n'), 2
end

def sidekiq
  Sidekiq.configure_client { |config| config.redis = { url: URL, size: 1 } }
  Sidekiq::Client.push('class' => 'Job', 'args' => [])
end

def run(name, library)
  yield
  puts "#{name} | #{library} | runs"
rescue StandardError => e
  puts "#{name} | #{library} | fails: #{e.message.lines.first.sub(/, with args.*/, '').strip}"
end

run('redis-rb', "redis #{Redis::VERSION}") { redis_rb }
run('Sidekiq', "sidekiq #{Sidekiq::VERSION}") { sidekiq }
