/** The picture in `docs/house.md` as a table. */

/** The rooms of the domain: each may import those before it. What is in no room, as `administration.ts`, may import all. */
export const domainRooms = [
  'access',
  'webhooks',
  'sending',
  'people',
  'channels',
  'protection',
  'templates',
  'inlets',
  'insight',
  'keeping',
]

/**
 * What each room may import, beside its own files and packages; of an entry with `type`, only types. A room within another
 * one is a room of its own. Tests may import anything, and nothing imports them.
 */
export const rooms: Record<string, string[]> = {
  generated: [],
  'src/contract': ['generated'],
  // What any room may use, and that knows no room.
  'src/kit': ['generated'],
  'src/outbound': ['package.json'],
  // How what other systems write is read, as a file says: lines of YAML, pointers, forms, signatures.
  'src/mapping': ['src/outbound/signature.ts'],
  // What goes from one database to another, whole.
  'src/transfer': ['src/store/engine', 'src/kit', 'type src/domain/access/secret.ts', 'src/store'],
  'src/store': ['src/store/engine', 'src/kit', 'type generated'],
  // Connections, the commit, groups, settings, migrations, the queue: it knows no noun.
  'src/store/engine': ['package.json', 'src/kit'],
  'src/domain': [
    'src/store/engine',
    'src/store',
    'src/contract/event.ts',
    // What an operation may be refused with: no rule may answer more.
    'type src/contract/operation.ts',
    'type src/outbound',
    'src/outbound/signature.ts',
    'src/kit',
  ],

  // What happens by itself.
  'src/jobs': ['src/domain', 'src/kit', 'src/store/engine'],

  // A channel is known to the one file that puts deliveries together, and knows nothing of how they are made.
  'src/delivery': [
    'src/store/engine',
    'src/domain',
    'src/store',
    'src/kit',
    'src/jobs',
    // What is an error of the service, and no outage of a provider.
    'src/outbound/failure.ts',
  ],
  'src/delivery/channels': [
    'type src/store/engine',
    'type src/delivery',
    'src/delivery/report.ts',
    'src/delivery/text.ts',
    'src/mapping',
    'src/outbound',
    'type src/domain',
    // What a text takes to send, what is a price, where a number is, and which languages serve a reader.
    'src/domain/sending/wordings/segments.ts',
    'src/domain/channels/price.ts',
    // What a reply means, and whose it is.
    'src/domain/sending/phones/keyword.ts',
    'src/domain/sending/phones/sender.ts',
    'src/domain/sending/numberingPlan.ts',
    'src/domain/sending/wordings/language.ts',
    'src/domain/sending/wordings/templateText.ts',
    'src/outbound/client.ts',
    'src/kit',
    'type src/store',
    'src/store/channels/sandboxMessage.ts',
  ],
  'src/delivery/delivery.ts': [
    'type src/store/engine',
    'src/delivery',
    'src/delivery/channels',
    'type src/jobs',
    'src/domain',
    'type src/kit',
    'src/store',
  ],

  // How what auth systems post is proven, read and answered: a file for each kind of them.
  'src/inlets': [
    'src/contract/document.ts',
    'type src/domain',
    // How phones and languages are read that other systems write.
    'src/domain/sending/phones/typedPhone.ts',
    'src/domain/sending/wordings/language.ts',
    'src/kit',
    'src/mapping',
    'type src/store/engine',
    'src/store/engine/failure.ts',
    'src/store',
  ],

  // What is told of is the domain's; whom it is told to and how, these know.
  'src/events': [
    'type src/store/engine',
    'type src/domain',
    'src/domain/webhooks/event.ts',
    'src/outbound',
    'src/kit',
    'src/store',
  ],

  // The doors share what lies beside them, and never import one another.
  'src/http': ['src/kit/problem.ts', 'type src/kit', 'type generated'],
  'src/http/api': ['src/http', 'src/contract', 'src/domain', 'src/kit', 'src/store/engine/failure.ts', 'generated'],
  // It speaks with the machinery of the API's own door.
  'src/http/twilio': ['src/http', 'src/http/api', 'src/contract', 'src/domain', 'src/kit', 'generated'],
  'src/http/dashboard': [
    'type src/settings',
    'src/kit',
    'src/http',
    'src/contract/document.ts',
    'src/contract/event.ts',
    'src/domain',
    'src/outbound/failure.ts',
    'src/store/engine/failure.ts',
    'type src/store',
  ],
  'src/http/commands': ['src/http', 'type src/domain', 'src/kit', 'type src/transfer', 'package.json'],
  'src/http/ops': ['src/http', 'src/kit', 'type src/store/engine/queue.ts'],
  'src/http/inlets': ['src/http', 'type src/inlets', 'src/inlets/answer.ts', 'type src/kit'],
  'src/http/reports': [
    'src/http',
    'type src/delivery',
    'src/delivery/report.ts',
    'type src/kit',
    'src/store/engine/failure.ts',
  ],

  // The providers on this machine: of the service, they know how a provider file is read, and no more.
  'src/simulator': [
    'src/http/host.ts',
    'src/http/html.ts',
    'src/kit',
    'src/delivery/channels/sms/providerFile.ts',
    'src/delivery/channels/sms/placeholder.ts',
    'src/delivery/channels/sms/shipped.ts',
    'src/mapping/xml.ts',
    'src/mapping/pointer.ts',
  ],

  // The only reader of the environment.
  'src/settings': [
    'src/kit',
    'src/contract/document.ts',
    'type src/domain/access/actor.ts',
    'src/domain/access/keyText.ts',
    'src/domain/people/email.ts',
    'src/outbound/address.ts',
    'type src/outbound/proxy.ts',
    'type src/store/engine/connect.ts',
    'src/store/engine/postgres/serverUrls.ts',
  ],
  'src/nodeVersion.js': [],
  'src/loading.js': ['src/nodeVersion.js'],
  'src/watchword.ts': ['src/nodeVersion.js', 'src/main.ts', 'src/cli.ts'],
  'src/main.ts': ['src/loading.js', 'src/process', 'src/simulator'],
  // The parts are made and put together here, and nowhere else.
  'src/app': [
    'src/store/engine',
    'package.json',
    'src/contract',
    'src/delivery',
    'src/delivery/channels',
    'src/delivery/delivery.ts',
    'src/domain',
    'src/events',
    'src/http',
    'src/http/api',
    'src/http/commands',
    'src/http/dashboard',
    'src/http/inlets',
    'src/http/ops',
    'src/http/reports',
    'src/http/twilio',
    'src/inlets',
    'src/jobs',
    'src/kit',
    'src/outbound',
    'src/settings',
    'src/store',
    'src/transfer',
  ],
  // Signals, log output, start; several processes of one start have together what `cluster/` says.
  'src/process': [
    'src/app',
    'src/contract/document.ts',
    'src/contract/twilioDocument.ts',
    'src/http',
    'src/http/api/throttle.ts',
    'src/http/ops',
    'src/kit',
    'src/settings',
    'src/store/engine/failure.ts',
    'package.json',
  ],
  'src/cli.ts': ['src/cli', 'src/kit', 'src/process/explain.ts'],
  'src/cli': [
    'package.json',
    'src/app',
    'src/settings',
    'src/contract',
    'src/domain',
    'src/process/explain.ts',
    'src/http/commands/calls.ts',
    'src/outbound/signature.ts',
    // The kinds of inlets, and the files of providers: no database is asked for them.
    'src/inlets/shipped.ts',
    'src/delivery/channels/sms',
    'src/kit',
    'type src/store',
    'src/store/engine/connect.ts',
    'src/store/engine/failure.ts',
    'src/transfer',
  ],
  'scripts/bench': [
    'type src/store/engine',
    'scripts/command.ts',
    'src/app',
    'src/settings',
    'src/domain/twilioSid.ts',
    'src/domain/keeping/retention.ts',
    'src/kit',
    'src/simulator',
    'src/store',
    'test/support',
  ],
  'scripts/bench.ts': ['scripts/bench', 'scripts/leash.ts', 'src/kit'],
  'scripts/soak': [
    'scripts/command.ts',
    'src/app',
    'src/settings',
    'src/domain/access/account.ts',
    'src/simulator',
    'src/kit',
    'type generated',
    'scripts/bench',
    'test/faults/cluster.ts',
    'type test/faults/standby.ts',
    'test/support/port.ts',
    'test/support/visitor.ts',
  ],
  'scripts/soak.ts': ['scripts/soak', 'scripts/leash.ts'],
  'scripts/conformance': [
    'generated',
    'package.json',
    'scripts/bench/program.ts',
    'scripts/bench/server.ts',
    'scripts/contract',
    'src/contract',
    'src/domain/access/keyText.ts',
    'src/kit',
  ],
  'scripts/conformance.ts': ['scripts/conformance'],
  'scripts/attack': ['scripts/dashboard/account.ts', 'src', 'test/support/postgres.ts'],
  'scripts/attack.ts': ['scripts/attack', 'scripts/command.ts'],
  'scripts/dev.ts': ['scripts', 'src/kit', 'test/support'],
  'scripts/package.ts': ['scripts', 'package.json'],
  'scripts/screenshots.ts': ['scripts', 'src', 'test/support'],
  scripts: ['generated', 'src'],
}
