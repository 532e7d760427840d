/** A provider's file as an operator writes it. */

export const acme = `provider: acme
title: Acme SMS
settings:
  api_key: { secret: true, about: "of the console" }
  from: { about: "sender" }
  profile: { optional: true }
request:
  method: POST
  url: https://api.acme.example/v1/messages
  headers: { Authorization: "Bearer {{s.api_key}}" }
  as: json
  body: { to: "{{to}}", from: "{{s.from}}", profile: { id: "{{s.profile}}" }, text: "{{text}}", ttl: "{{ttl}}",
          reference: "{{reference}}", callback: "{{report_url}}" }
answer:
  as: json
  id: /data/id
  error: /errors/0/code
  price: { amount: /data/cost, currency: EUR }
  rules:
    - { when: { status: 2xx, /data/id: "*" }, is: sent }
    - { when: { /errors/0/code: "40300" }, is: failed, code: opted_out }
    - { when: { /errors/0/code: ["40001", "NO_SMS_*"] }, is: failed, code: not_on_channel }
    - { when: { status: [401, 402, 403] }, is: down }
    - { when: { status: 429 }, is: retry }
    - { when: { status: 4xx }, is: failed, code: rejected_by_channel }
report:
  as: json
  id: /data/id
  reference: /data/reference
  status: /data/status
  at: /data/at
  error: /data/code
  map: { delivered: delivered, sent: sent, failed: failed }
  codes: { "40001": not_on_channel, "40300": opted_out, "50000": down }
  signature: { scheme: url-token }
probe:
  url: https://api.acme.example/v1/balance
  headers: { Authorization: "Bearer {{s.api_key}}" }
  balance: /balance
examples:
  - answer: { status: 200, body: { data: { id: 40385f64, cost: "0.0045" } } }
    is: { kind: sent, id: 40385f64, price: { amount: "0.0045", currency: EUR } }
  - answer: { status: 400, body: { errors: [ { code: "40300" } ] } }
    is: { kind: failed, code: opted_out, error: "40300" }
  - answer: { status: 429, headers: { Retry-After: "7" }, body: "slow down" }
    is: { kind: retry, retry_after: 7 }
  - answer: { status: 502, body: "<html>" }
    is: { kind: unknown }
  - report: { body: { data: { id: 40385f64, status: failed, code: 40001 } } }
    gives: [ { id: 40385f64, status: failed, code: not_on_channel, error: "40001" } ]
  - report: { body: { data: { id: 40385f64, status: queued } } }
    gives: []
`
