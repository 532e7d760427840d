"""A team that writes Python, with the client that openapi-generator makes."""
import json
import sys
from uuid import uuid4

import watchword as w

UNKNOWN = "req_00000000000000000000000000"
LIMITS = {
    "resend_cooldown": "wait a minute",
    "send_limit_reached": "come back later",
    "rate_limited": "ask less often",
}

# Of a type with variants, it knows the values of the last one only, and it refuses what a list has got since.
w.Configuration.client_side_validation = property(lambda _: False, lambda _, value: None)


def drive(url, key):
    api = connect(url, key)
    verification, messages = w.VerificationApi(api), w.MessagesApi(api)

    def send(**fields):
        return verification.send_verification(w.SendVerificationRequest(**fields))

    def check(request_id, code):
        return verification.check_verification(w.CheckVerificationRequest(request_id=request_id, code=code))

    def notify(**fields):
        request = w.SendNotificationRequest(template="welcome", **fields)
        return w.NotificationsApi(api).send_notification(request)

    request = w.SendVerificationRequest(phone="+14155550100", brand_name="Acme")
    once = str(uuid4())
    sent = verification.send_verification(request, idempotency_key=once).data
    again = verification.send_verification(request, idempotency_key=once).data
    wrong = check(sent.request_id, "123456").data
    right = check(sent.request_id, "000000").data
    message = messages.get_message(sent.request_id).data
    listed = messages.list_messages(phone="+14155550100", kind="verification", limit=100).data.messages
    notified = notify(phone="+14155550100", variables={"name": "Ada"}).data
    hasty = refused(api, 429, "LimitedSendVerificationError", lambda: send(phone="+14155550160"))
    invalid = refused(api, 400, "InvalidSendVerificationError", lambda: send(phone="0100"))
    unfilled = refused(api, 400, "InvalidSendNotificationError", lambda: notify(phone="+14155550100"))
    unknown = refused(api, 404, "VerificationNotFoundError", lambda: check(UNKNOWN, "000000"))
    api.configuration.access_token = "ww_test_unknown"
    stranger = refused(api, 401, "UnauthorizedError", lambda: send(phone="+14155550100"))
    return {
        "sent": f"{sent.status} for {sent.expires_in} seconds",
        "repeated": "the same answer" if again.request_id == sent.request_id else "another answer",
        "wrongCode": judge(wrong),
        "rightCode": judge(right),
        "message": message.error.code if message.error else message.status,
        "listed": "there" if any(each.id == sent.request_id for each in listed) else "missing",
        "notification": notified.status,
        "invalidPhone": explain(invalid),
        "missingVariable": explain(unfilled),
        "unknownKey": stranger.code,
        "unknownVerification": unknown.code,
        "tooSoon": f"{hasty.code}: {hasty.retry_after} seconds",
        "advice": LIMITS[hasty.code],
    }


def refusal(url):
    api = connect(url, "any")
    problem = refused(api, 404, "MessageNotFoundError", lambda: w.MessagesApi(api).get_message(UNKNOWN))
    return f"404 {problem.code}"


def echo(examples):
    api = connect("", "")
    return [
        api.sanitize_for_serialization(api.deserialize(Body(json.dumps(example["value"])), example["schema"]))
        for example in examples
    ]


def connect(url, key):
    configuration = w.Configuration(host=url)
    configuration.access_token = key
    return w.ApiClient(configuration)


class Body:
    """What its deserializer takes: it reads answers, and leaves refusals as text."""

    def __init__(self, data):
        self.data = data


def refused(api, status, error, call):
    try:
        call()
    except w.ApiException as refusal:
        assert refusal.status == status, refusal
        return api.deserialize(Body(refusal.body), error).data
    raise AssertionError("passed")


def judge(check):
    if check.result == "verified":
        return "verified"
    return f"{check.reason}, {check.attempts_remaining} left"


def explain(problem):
    return f"{problem.code}: {', '.join(f'{detail.field} {detail.code}' for detail in problem.details)}"


commands = {"drive": drive, "refusal": refusal, "echo": lambda: echo(json.load(sys.stdin))}
print(json.dumps(commands[sys.argv[1]](*sys.argv[2:])))
