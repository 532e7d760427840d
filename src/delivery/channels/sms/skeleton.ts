/** The file that `providers new` writes: it is good as it stands, and says what to change. */
import { ownCommand } from '../../../kit/ownCommand.ts'

/** @param name of the provider, as files have it */
export function buildSkeleton(name: string): string {
  return `# A provider of SMS. What each member means: docs/sms.md, "Your own provider".
# Change what is marked with 1, 2 and 3, then run: ${ownCommand.cli} providers check ./${name}.yaml
provider: ${name}
title: ${name}

# What a connection must have in channels.yaml. Secrets are encrypted, and shown nowhere.
settings:
  api_key: { secret: true, about: "API key" }
  from: { about: "number or name that the message comes from" }

# What is sent for each message.
request:
  method: POST
  # 1. The address that takes messages.
  url: https://api.${name}.example/messages
  headers: { Authorization: "Bearer {{s.api_key}}" }
  # json, form, query or xml. A token that is fetched first, and a signature: "token" and "sign" in docs/sms.md.
  as: json
  # 2. The fields, by the names of your provider.
  body:
    to: "{{to}}"
    from: "{{s.from}}"
    text: "{{text}}"
    report_url: "{{report_url}}"

# What an answer means. The first rule that matches counts; without one, the outcome is unknown.
answer:
  as: json
  # Where the answer has the message's id, as a JSON Pointer.
  id: /id
  error: /error/code
  rules:
    - { when: { status: 2xx, /id: "*" }, is: sent }
    - { when: { status: [401, 402, 403] }, is: down }
    - { when: { status: 429 }, is: retry }
    - { when: { status: 4xx }, is: failed, code: rejected_by_channel }

# What your provider reports of a message later.
report:
  as: json
  id: /id
  status: /status
  error: /error
  # 3. The statuses of your provider. Those that are not named are ignored.
  map: { delivered: delivered, sent: sent, failed: failed, expired: failed }
  # url-token: the secret in the address is all that tells a report from a fake. Better: the way in which your provider signs.
  signature: { scheme: url-token }

# True answers and reports of your provider, from its documentation. "providers check" runs them.
examples:
  - answer: { status: 200, body: { id: abc-1 } }
    is: { kind: sent, id: abc-1 }
  - answer: { status: 401, body: { error: { code: bad_key } } }
    is: { kind: down, error: bad_key }
  - report: { body: { id: abc-1, status: delivered } }
    gives: [{ id: abc-1, status: delivered }]
`
}
