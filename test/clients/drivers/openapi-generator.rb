# A team that writes Ruby, with the client that openapi-generator makes.
require 'json'
require 'securerandom'
require 'uri'
$LOAD_PATH.unshift(File.join(__dir__, 'lib'))
require 'watchword'

# Times are written without milliseconds otherwise.
class DateTime
  def to_s = iso8601(3)
end

# Of a type that is text, a number or a boolean, it makes a class that holds none of them.
class Watchword::VariableValue
  def self.build_from_hash(value) = value
end

UNKNOWN = 'req_00000000000000000000000000'.freeze
LIMITS = {
  'resend_cooldown' => 'wait a minute',
  'send_limit_reached' => 'come back later',
  'rate_limited' => 'ask less often'
}.freeze

def drive(url, key)
  api = connect(url, key)
  verification = Watchword::VerificationApi.new(api)
  messages = Watchword::MessagesApi.new(api)
  notifications = Watchword::NotificationsApi.new(api)
  send = ->(options = {}, **fields) { verification.send_verification(Watchword::SendVerificationRequest.new(fields), options).data }
  check = lambda do |id, code|
    verification.check_verification(Watchword::CheckVerificationRequest.new(request_id: id, code: code)).data
  end
  notify = lambda do |**fields|
    request = Watchword::SendNotificationRequest.new(phone: '+14155550100', template: 'welcome', **fields)
    notifications.send_notification(request).data
  end

  once = { idempotency_key: SecureRandom.uuid }
  sent, again = 2.times.map { send.call(once, phone: '+14155550100', brand_name: 'Acme') }
  wrong = check.call(sent.request_id, '123456')
  right = check.call(sent.request_id, '000000')
  message = messages.get_message(sent.request_id).data
  notified = notify.call(variables: { name: 'Ada' })
  listed = all_pages(messages).any? { |each| each.id == sent.request_id }
  hasty = refused(api, 429, 'LimitedSendVerificationError') { send.call(phone: '+14155550160') }
  # A phone that looks wrong to the client is not sent at all, unless the body is given as text.
  invalid = refused(api, 400, 'InvalidSendVerificationError') { send.call({ body: '{"phone":"0100"}' }, phone: '+14155550100') }
  unfilled = refused(api, 400, 'InvalidSendNotificationError') { notify.call }
  unknown = refused(api, 404, 'VerificationNotFoundError') { check.call(UNKNOWN, '000000') }
  api.config.access_token = 'ww_test_unknown'
  stranger = refused(api, 401, 'UnauthorizedError') { send.call(phone: '+14155550100') }
  {
    sent: "#{sent.status} for #{sent.expires_in} seconds",
    repeated: again.request_id == sent.request_id ? 'the same answer' : 'another answer',
    wrongCode: judge(wrong),
    rightCode: judge(right),
    message: message.error ? message.error.code : message.status,
    listed: listed ? 'there' : 'missing',
    notification: notified.status,
    invalidPhone: explain(invalid),
    missingVariable: explain(unfilled),
    unknownKey: stranger.code,
    unknownVerification: unknown.code,
    tooSoon: "#{hasty.code}: #{hasty.retry_after} seconds",
    advice: LIMITS[hasty.code]
  }
end

def refusal(url)
  api = connect(url, 'any')
  problem = refused(api, 404, 'MessageNotFoundError') { Watchword::MessagesApi.new(api).get_message(UNKNOWN) }
  "404 #{problem.code}"
end

def echo
  api = connect('http://127.0.0.1', '')
  JSON.parse($stdin.read, symbolize_names: true).map do |example|
    api.object_to_hash(api.convert_to_type(example[:value], example[:schema]))
  end
end

def connect(url, key)
  configuration = Watchword::Configuration.new
  address = URI.parse(url)
  configuration.scheme = address.scheme
  configuration.host = "#{address.host}:#{address.port}"
  configuration.access_token = key
  Watchword::ApiClient.new(configuration)
end

# All messages to the phone, one on each page.
def all_pages(messages, options = {})
  page = messages.list_messages(phone: '+14155550100', limit: 1, **options).data
  page.messages + (page._next ? all_pages(messages, after: page._next) : [])
end

def refused(api, status, error)
  yield
  raise 'passed'
rescue Watchword::ApiError => e
  raise unless e.code == status

  api.convert_to_type(JSON.parse(e.response_body, symbolize_names: true), error).data
end

def judge(check)
  check.result == 'verified' ? 'verified' : "#{check.reason}, #{check.attempts_remaining} left"
end

def explain(problem)
  "#{problem.code}: #{problem.details.map { |detail| "#{detail.field} #{detail.code}" }.join(', ')}"
end

command, *rest = ARGV
puts JSON.generate(send(command, *rest))
