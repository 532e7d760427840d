"""A team that writes Python: types by quicktype, and the HTTP client that Python has."""
import json
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from uuid import uuid4

import watchword as w

UNKNOWN = "req_00000000000000000000000000"
LATEST = urlencode({"phone": "+14155550100", "kind": w.MessageKind.VERIFICATION.value, "limit": 100})
LIMITS = {
    w.LimitedSendVerificationProblemCode.RESEND_COOLDOWN: "wait a minute",
    w.LimitedSendVerificationProblemCode.SEND_LIMIT_REACHED: "come back later",
    w.LimitedSendVerificationProblemCode.RATE_LIMITED: "ask less often",
}


def drive(url, key):
    def send(**fields):
        return ask(url, key, "/v1/verify/send", w.SendVerificationRequest(**fields), once)

    def check(request_id, code):
        body = w.CheckVerificationRequest(code=code, request_id=request_id)
        return ask(url, key, "/v1/verify/check", body)

    def notify(**fields):
        return ask(url, key, "/v1/notifications/send", w.SendNotificationRequest(template="welcome", **fields))

    once = str(uuid4())
    sent = taken(w.SendVerificationReply, send(phone="+14155550100", brand_name="Acme"))
    again = taken(w.SendVerificationReply, send(phone="+14155550100", brand_name="Acme"))
    once = None
    wrong = taken(w.CheckVerificationReply, check(sent.request_id, "123456"))
    right = taken(w.CheckVerificationReply, check(sent.request_id, "000000"))
    message = taken(w.GetMessageReply, ask(url, key, f"/v1/messages/{sent.request_id}"))
    listed = taken(w.ListMessagesReply, ask(url, key, f"/v1/messages?{LATEST}")).messages
    notified = taken(w.SendNotificationReply, notify(phone="+14155550100", variables={"name": "Ada"}))
    hasty = refused(429, w.LimitedSendVerificationError, send(phone="+14155550160"))
    assert set(LIMITS) == set(w.LimitedSendVerificationProblemCode)
    invalid = refused(400, w.InvalidSendVerificationError, send(phone="0100"))
    unfilled = refused(400, w.InvalidSendNotificationError, notify(phone="+14155550100"))
    unknown = refused(404, w.VerificationNotFoundError, check(UNKNOWN, "000000"))
    key = "ww_test_unknown"
    stranger = refused(401, w.UnauthorizedError, send(phone="+14155550100"))
    return {
        "sent": f"{sent.status.value} for {sent.expires_in} seconds",
        "repeated": "the same answer" if again.request_id == sent.request_id else "another answer",
        "wrongCode": judge(wrong),
        "rightCode": judge(right),
        "message": message.error.code.value if message.error else message.status.value,
        "listed": "there" if any(each.id == sent.request_id for each in listed) else "missing",
        "notification": notified.status.value,
        "invalidPhone": explain(invalid),
        "missingVariable": explain(unfilled),
        "unknownKey": stranger.code.value,
        "unknownVerification": unknown.code.value,
        "tooSoon": f"{hasty.code.value}: {hasty.retry_after} seconds",
        "advice": LIMITS[hasty.code],
    }


def refusal(url):
    status, answer = ask(url, "", f"/v1/messages/{UNKNOWN}")
    try:
        return f"{status} {w.MessageNotFoundError.from_dict(answer).data.code.value}"
    except ValueError:
        # Its lists take no value that they do not have.
        return f"{status} {answer['data']['code']}"


def echo(examples):
    return [getattr(w, example["schema"]).from_dict(example["value"]).to_dict() for example in examples]


def ask(url, key, path, body=None, once=None):
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    if once:
        headers["Idempotency-Key"] = once
    data = json.dumps(body.to_dict()).encode() if body else None
    try:
        with urlopen(Request(url + path, data, headers)) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        return error.code, json.load(error)


def taken(reply, answer):
    status, body = answer
    assert status == 200, body
    return reply.from_dict(body).data


def refused(status, error, answer):
    assert answer[0] == status, answer
    return error.from_dict(answer[1]).data


def judge(check):
    if check.result == w.CheckResultResult.VERIFIED:
        return "verified"
    return f"{check.reason.value}, {check.attempts_remaining} left"


def explain(problem):
    details = ", ".join(f"{detail.field} {detail.code.value}" for detail in problem.details)
    return f"{problem.code.value}: {details}"


commands = {"drive": drive, "refusal": refusal, "echo": lambda: echo(json.load(sys.stdin))}
print(json.dumps(commands[sys.argv[1]](*sys.argv[2:])))
