/** Commands of the pages that `pasted.test.ts` does not run as they stand: which test does the same, or why none does. */

interface Recorded {
  page: string
  /** What the command has in it. */
  words: string
  /** The test that runs it, from the words of the page or by the same program. */
  by?: string
  /** Why no test runs it. */
  not?: string
}

const of = (page: string, ...rows: [words: string, kind: 'by' | 'not', text: string][]): Recorded[] =>
  rows.map(([words, kind, text]) => ({ page, words, [kind]: text }))

/** Its test starts the service and the example as these do, with ports and folders of its own. */
function ofExample(name: string, ...commands: string[]): Recorded[] {
  return commands.map((words) => ({ page: `examples/${name}/README.md`, words, by: `test/examples/${name}.test.ts` }))
}

/** The first that stands for a command of a page; undefined where it is pasted. */
export function recordOf(page: string, command: string): Recorded | undefined {
  return notPasted.find((record) => record.page === page && command.includes(record.words))
}

const elsewhere = 'the address and the credentials of somebody else'
const realPhone = 'a code to the real phone of the reader'
const noDocker = 'needs Docker; what it builds and starts is read by test/tools/deploy.test.ts'
const noCluster = 'needs a Kubernetes; its manifests are read by test/tools/deploy.test.ts'
const forShell = 'a setting for what comes after it, which goes by the settings of the test here'
const guide = 'test/docs/guide.test.ts'
const templates = 'test/docs/templates.test.ts'
const whatsappGuide = 'test/delivery/channels/whatsapp/guide.test.ts'

export const notPasted: readonly Recorded[] = [
  ...of('README.md', ['npm ci', 'by', 'test/docs/readme.test.ts'], ['curl', 'by', 'test/docs/readme.test.ts']),
  ...of('CONTRIBUTING.md', ['npm ci', 'by', '.ci/run'], ['npm run dev', 'by', 'test/tools/dev.test.ts']),
  ...of(
    'docs/frontend.md',
    ['npx prism mock', 'by', 'test/contract/plainPrism.test.ts'],
    ['npx @stoplight/prism-cli mock', 'by', 'test/contract/plainPrism.test.ts'],
    ['npx dredd', 'not', 'the page says that it fails by itself; test/contract/replay.test.ts runs it with hooks'],
    ['npm run', 'by', 'test/docs/readme.test.ts'],
    ['curl', 'by', 'test/docs/readme.test.ts'],
  ),
  ...of(
    'docs/clients.md',
    ['quicktype', 'by', 'test/clients/languages.test.ts'],
    ['openapi-generator', 'by', 'test/clients/languages.test.ts'],
    ['npx', 'by', 'test/clients/clients.test.ts'],
    ['perl', 'by', 'test/clients/languages.test.ts'],
    ['curl -sO http://127.0.0.1:3000/openapi.3.1.json', 'by', 'test/contract/published.test.ts'],
    ['for file in templates', 'by', templates],
    ['curl --fail-with-body', 'by', templates],
    ['done', 'by', templates],
  ),
  ...of('docs/designers.md', ['npm run dev', 'by', 'test/tools/dev.test.ts']),
  ...of('docs/designers/operation.md', ['npm run contract:add', 'by', guide]),
  ...of(
    'docs/designers/files.md',
    ['npx redocly split', 'by', 'test/contract/files.test.ts'],
    ['npx redocly bundle', 'by', 'test/contract/add.test.ts'],
  ),
  ...of('docs/designers/stories.md', ['npm run stories', 'by', 'test/contract/stories.test.ts']),
  ...of('docs/designers/deprecating.md', ['npm run', 'by', 'test/contract/headers.test.ts']),
  ...['operation', 'event'].flatMap((name) =>
    of(
      `docs/designers/${name}.md`,
      ['npx tsc', 'by', guide],
      ['npm run contract:lint', 'by', guide],
      ['npm run generate', 'by', guide],
      ['npm run contract:diff', 'by', guide],
      ['npm run format', 'not', 'changes files; the style is checked in .ci/run'],
      ['npm run check', 'by', '.ci/run'],
      ['npm test', 'by', '.ci/run'],
    ),
  ),
  ...of(
    'docs/auth/zitadel.md',
    ['curl', 'not', `asks Zitadel: ${elsewhere}`],
    ['ZITADEL_SIGNING_KEY=…', 'not', 'the same as above, with the key that Zitadel has made'],
  ),
  ...of(
    'docs/channels.md',
    ['curl https://graph.facebook.com/v23.0/<phone number id>/register', 'by', whatsappGuide],
    ['curl https://graph.facebook.com/v23.0/<business account id>/message_templates', 'by', whatsappGuide],
    ['curl -X POST https://graph.facebook.com', 'not', `asks Meta: ${elsewhere}`],
    ['"phone": "<your number', 'not', realPhone],
    ['"phone": "+…"', 'not', realPhone],
    ['export WHATSAPP_', 'not', 'what the reader has from Meta'],
    ['export TELEGRAM_TOKEN', 'not', 'what the reader has from Telegram'],
    ['npm run simulate', 'by', 'test/simulator/simulate.test.ts'],
    ['npm start', 'by', 'test/docs/readme.test.ts'],
  ),
  ...of(
    'docs/notifications.md',
    ['npm run simulate', 'by', 'test/simulator/simulate.test.ts'],
    ['PUBLIC_URL=http://127.0.0.1:3000 npm start', 'by', 'test/docs/readme.test.ts'],
    ['_simulator/replies', 'by', 'test/flows/shop.test.ts'],
  ),
  ...of('docs/dashboard.md', ['npm run cli -- users reset', 'by', 'test/cli/users.test.ts']),
  ...of(
    'docs/events.md',
    ['npm run cli -- endpoints enable', 'by', 'test/cli/endpoints.test.ts'],
    ['npm run cli -- endpoints listen', 'by', 'test/cli/listen.test.ts'],
  ),
  ...of(
    'docs/operations.md',
    ['npm install --global', 'by', 'test/package/package.test.ts'],
    ['curl -i http://127.0.0.1:9464/healthz', 'by', 'test/http/ops/ops.test.ts'],
    ['watchword --help', 'by', 'test/package/package.test.ts'],
    ...['(set -Ce; umask 022', 'postgres_password', '> watchword_secret'].map((words): [string, 'by', string] => [
      words,
      'by',
      'test/tools/onePort.test.ts',
    ]),
    ['echo FIRST_OWNER', 'not', 'a setting for Docker'],
    ['(set -C; umask 077; printf', 'not', 'writes a file with secrets for Docker or Kubernetes'],
    ['openssl rand', 'not', 'prints a secret, which the reader keeps'],
    ['curl -H "Authorization: Bearer $OPS_TOKEN"', 'by', 'test/tools/onePort.test.ts'],
    ['database=', 'not', forShell],
    ['docker', 'not', noDocker],
    ['kubectl', 'not', noCluster],
    ['systemd-run', 'not', 'needs systemd as the first process; its units are read by test/tools/deploy.test.ts'],
    ['npm run soak -- --minutes', 'by', 'test/tools/soak.test.ts'],
    ['npm run soak -- --help', 'by', 'test/tools/commands.test.ts'],
    ['npm run soak -- --package', 'not', 'the same as above, of what test/package/tools.test.ts has the benchmark run'],
  ),
  ...of(
    'docs/operators.md',
    ['--env-file', 'by', 'test/strangers/environment.test.ts'],
    ['--from-env-file', 'by', 'test/strangers/environment.test.ts'],
    ['-- partitions', 'by', 'test/process/databaseUsers.test.ts'],
    ['watchword_owner:', 'by', 'test/process/databaseUsers.test.ts'],
    ['createuser', 'not', 'needs a PostgreSQL of the system'],
    ['createdb', 'not', 'needs a PostgreSQL of the system'],
    ['export DATABASE_URL', 'not', forShell],
    ['/etc/watchword/secret', 'by', 'test/settings/secretFile.test.ts'],
    ['export WATCHWORD_SECRET', 'not', forShell],
    ['export NODE_ENV', 'not', forShell],
    ['export OUTBOUND_PROXY', 'by', 'test/process/proxy.test.ts'],
    ['export HTTPS_PROXY', 'by', 'test/settings/proxy.test.ts'],
    ['export HTTP_PROXY', 'by', 'test/settings/proxy.test.ts'],
    ['export NO_PROXY', 'by', 'test/settings/proxy.test.ts'],
    ['export NODE_EXTRA_CA_CERTS', 'by', 'test/process/proxy.test.ts'],
    ['export WATCHWORD_API_KEY', 'not', forShell],
    ['WORKER=off HOST=0.0.0.0 npm start', 'by', 'test/process/process.test.ts'],
    ['OPS_PORT=9465 npm run worker', 'by', 'test/process/process.test.ts'],
    ['PROCESSES=auto', 'by', 'test/process/processes.test.ts'],
    ['npm start', 'by', 'test/docs/readme.test.ts'],
    ['npm run cli -- move', 'by', 'test/cli/transfer.test.ts'],
    ['npm run cli -- accounts brand', 'by', 'test/strangers/twilio.test.ts'],
    ['npm run cli -- accounts cooldown', 'by', 'test/strangers/twilio.test.ts'],
    ['npm run cli -- phones show', 'by', 'test/strangers/phones.test.ts'],
    ['mkdir', 'not', 'makes a folder of the system'],
    ['npm run cli -- backup', 'by', 'test/cli/transfer.test.ts'],
    ['npm run cli -- restore', 'by', 'test/cli/transfer.test.ts'],
    ['node_modules/.bin/node', 'by', 'test/process/process.test.ts'],
    ['npm run conformance', 'by', 'test/tools/conformanceCommand.test.ts'],
    ...['reset', 'disable', 'enable'].map((act): [string, 'by', string] => [
      `npm run cli -- users ${act}`,
      'by',
      'test/cli/users.test.ts',
    ]),
  ),
  ...of(
    'docs/performance-method.md',
    ['npm run bench -- --help', 'by', 'test/tools/commands.test.ts'],
    ['npm run bench', 'by', 'test/tools/bench.test.ts'],
  ),
  ...of('docs/protection.md', ['npm run attack', 'by', '.ci/run']),
  ...of(
    'docs/sms.md',
    ['npm run simulate', 'by', 'test/simulator/simulate.test.ts'],
    ['_simulator/replies', 'by', 'test/simulator/admin.test.ts'],
    ['PUBLIC_URL=http://127.0.0.1:3000 npm start', 'by', 'test/docs/readme.test.ts'],
  ),
  ...[
    ...[
      'export SMSGATE_',
      'export PUBLIC_URL',
      'npm run cli -- channels',
      'report_url=',
      'for event in',
      'curl',
      'done',
    ],
    ...['request_id=', 'npm run cli -- messages show'],
  ].flatMap((words) => of('docs/sim.md', [words, 'by', 'test/package/drawer.test.ts'])),
  ...of('docs/twilio.md', ['TWILIO_VERIFY=on npm start', 'by', 'test/process/process.test.ts']),
  ...ofExample('better-auth', 'npm ci && npm run types', 'export ', 'npm start'),
  ...ofExample('login', 'npm run cli -- endpoints add', 'npm ci && npm run types', 'export ', 'npm start'),
  ...ofExample('receipt', 'PUBLIC_URL=http://127.0.0.1:3000 npm start', 'npm ci && npm start', 'npm run verify'),
  ...ofExample(
    'supabase-hook',
    'export ',
    'npm run cli -- inlets apply',
    'cd examples/supabase-hook',
    'npm run hook',
    'curl',
  ),
  ...ofExample(
    'gateway',
    'export ',
    'npm run cli -- channels apply',
    'cd examples/gateway',
    'npm start',
    'npm run played',
    'curl',
    'id=$(grep',
    'npm run cli -- messages show',
  ),
  ...of('examples/gateway/README.md', ['aws ', 'not', `asks AWS: ${elsewhere}`]),
  ...ofExample('zitadel', 'export ', 'npm run cli -- inlets apply', 'cd examples/zitadel', 'npm run notify', 'curl'),
]
