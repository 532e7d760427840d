<?php
// A team that writes PHP, with the client that openapi-generator makes.
use Watchword\Api;
use Watchword\ApiException;
use Watchword\Configuration;
use Watchword\Model;
use Watchword\ObjectSerializer;

require 'GuzzleHttp/autoload.php';
// As Composer would: what has no file is no class.
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/lib/' . strtr(substr($class, strlen('Watchword\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'Watchword\\') && is_file($file)) {
        require $file;
    }
});

// Times are written without milliseconds otherwise.
ObjectSerializer::setDateTimeFormat(DateTimeInterface::RFC3339_EXTENDED);

const UNKNOWN = 'req_00000000000000000000000000';
const LIMITS = [
    'resend_cooldown' => 'wait a minute',
    'send_limit_reached' => 'come back later',
    'rate_limited' => 'ask less often',
];

function drive(string $url, string $key): array
{
    $configuration = connect($url, $key);
    $verification = new Api\VerificationApi(null, $configuration);
    $messages = new Api\MessagesApi(null, $configuration);
    $notifications = new Api\NotificationsApi(null, $configuration);
    $send = fn (array $fields, ?string $once = null) =>
        $verification->sendVerification(new Model\SendVerificationRequest($fields), $once)->getData();
    $check = fn (string $id, string $code) =>
        $verification->checkVerification(new Model\CheckVerificationRequest(['request_id' => $id, 'code' => $code]))->getData();
    $notify = fn (array $fields) => $notifications->sendNotification(
        new Model\SendNotificationRequest($fields + ['phone' => '+14155550100', 'template' => 'welcome'])
    )->getData();

    $once = bin2hex(random_bytes(16));
    $sent = $send(['phone' => '+14155550100', 'brand_name' => 'Acme'], $once);
    $again = $send(['phone' => '+14155550100', 'brand_name' => 'Acme'], $once);
    $wrong = $check($sent->getRequestId(), '123456');
    $right = $check($sent->getRequestId(), '000000');
    $message = $messages->getMessage($sent->getRequestId())->getData();
    $notified = $notify(['variables' => ['name' => 'Ada']]);
    $listed = array_map(fn ($each) => $each->getId(), allPages($messages));
    $hasty = refused(429, Model\LimitedSendVerificationError::class, fn () => $send(['phone' => '+14155550160']));
    $invalid = refused(400, Model\InvalidSendVerificationError::class, fn () => $send(['phone' => '0100']));
    $unfilled = refused(400, Model\InvalidSendNotificationError::class, fn () => $notify([]));
    $unknown = refused(404, Model\VerificationNotFoundError::class, fn () => $check(UNKNOWN, '000000'));
    $configuration->setAccessToken('ww_test_unknown');
    $stranger = refused(401, Model\UnauthorizedError::class, fn () => $send(['phone' => '+14155550100']));
    return [
        'sent' => "{$sent->getStatus()} for {$sent->getExpiresIn()} seconds",
        'repeated' => $again->getRequestId() === $sent->getRequestId() ? 'the same answer' : 'another answer',
        'wrongCode' => judge($wrong),
        'rightCode' => judge($right),
        'message' => $message->getError() ? $message->getError()->getCode() : $message->getStatus(),
        'listed' => in_array($sent->getRequestId(), $listed, true) ? 'there' : 'missing',
        'notification' => $notified->getStatus(),
        'invalidPhone' => explain($invalid),
        'missingVariable' => explain($unfilled),
        'unknownKey' => $stranger->getCode(),
        'unknownVerification' => $unknown->getCode(),
        'tooSoon' => "{$hasty->getCode()}: {$hasty->getRetryAfter()} seconds",
        'advice' => LIMITS[$hasty->getCode()],
    ];
}

function refusal(string $url): string
{
    $messages = new Api\MessagesApi(null, connect($url, 'any'));
    $problem = refused(404, Model\MessageNotFoundError::class, fn () => $messages->getMessage(UNKNOWN));
    return "404 {$problem->getCode()}";
}

function echoed(): array
{
    return array_map(
        fn ($example) => ObjectSerializer::sanitizeForSerialization(
            ObjectSerializer::deserialize($example->value, "\\Watchword\\Model\\{$example->schema}")
        ),
        json_decode(stream_get_contents(STDIN))
    );
}

function connect(string $url, string $key): Configuration
{
    return (new Configuration())->setHost($url)->setAccessToken($key);
}

/** All messages to the phone, one on each page. */
function allPages(Api\MessagesApi $messages, ?string $after = null): array
{
    $page = $messages->listMessages('+14155550100', null, null, null, 1, $after)->getData();
    return array_merge($page->getMessages(), $page->getNext() ? allPages($messages, $page->getNext()) : []);
}

function refused(int $status, string $error, callable $call): object
{
    try {
        $call();
    } catch (ApiException $refusal) {
        $typed = $refusal->getResponseObject();
        if ($refusal->getCode() !== $status || !($typed instanceof $error)) {
            throw $refusal;
        }
        return $typed->getData();
    }
    throw new Exception('passed');
}

function judge(object $check): string
{
    return $check->getResult() === 'verified'
        ? 'verified'
        : "{$check->getReason()}, {$check->getAttemptsRemaining()} left";
}

function explain(object $problem): string
{
    $faults = array_map(fn ($detail) => "{$detail->getField()} {$detail->getCode()}", $problem->getDetails());
    return "{$problem->getCode()}: " . implode(', ', $faults);
}

$commands = ['drive' => 'drive', 'refusal' => 'refusal', 'echo' => 'echoed'];
echo json_encode($commands[$argv[1]](...array_slice($argv, 2)), JSON_THROW_ON_ERROR);
