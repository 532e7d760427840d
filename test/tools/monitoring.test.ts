/** What `deploy/` has for Prometheus and Grafana: it asks for what the service measures, and says what it has to. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { pageOf } from '../support/docs.ts'
import { installed } from '../support/installed.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const promtool = installed('promtool')
const skipped = promtool ? '' : ' (skipped: there is no promtool; on Debian it comes with the package prometheus)'

interface Rule {
  alert?: string
  record?: string
  expr: string
  annotations?: { runbook?: string }
}
interface RuleTest {
  alert_rule_test: { alertname: string; exp_alerts?: object[] }[]
}
interface Panel {
  id: number
  title: string
  type: string
  gridPos: Record<'x' | 'y' | 'w' | 'h', number>
  datasource?: { uid: string }
  targets?: { expr: string; refId: string; datasource: { uid: string } }[]
}
interface Variable {
  name: string
  type: string
  query: string | { query: string }
}

const rules = (parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)
const alerts = rules.flatMap(({ alert }) => alert ?? [])
const dashboard = JSON.parse(read('deploy/grafana/watchword.json')) as {
  uid: string
  panels: Panel[]
  templating: { list: Variable[] }
}
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

describe('the rules for Prometheus', () => {
  it.skipIf(!promtool)(`are what Prometheus can read${skipped}`, async () => {
    const { stdout } = await run(promtool!, ['check', 'rules', join(root, 'deploy/prometheus/alerts.yaml')])
    expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`)
  })

  it.skipIf(!promtool)(`fire when they have to, and at no other time${skipped}`, { timeout: 120_000 }, async () => {
    const { stdout } = await run(promtool!, ['test', 'rules', join(root, 'deploy/prometheus/alerts.test.yaml')])
    expect(stdout).toContain('SUCCESS')
  })

  it('are each tried both ways', () => {
    const { tests } = parse(read('deploy/prometheus/alerts.test.yaml')) as { tests: RuleTest[] }
    const tried = tests.flatMap((test) => test.alert_rule_test)
    const isFired = ({ exp_alerts = [] }: { exp_alerts?: object[] }) => exp_alerts.length > 0
    const namesOf = (list: typeof tried) => [...new Set(list.map(({ alertname }) => alertname))].toSorted()
    expect(namesOf(tried.filter(isFired))).toEqual(alerts.toSorted())
    expect(namesOf(tried.filter((one) => !isFired(one)))).toEqual(alerts.toSorted())
  })

  it('are explained to operators, and each leads to its runbook', () => {
    const rows = Array.from(pageOf('docs/operators.md').matchAll(/^\| \[`(Watchword\w+)`\]/gm), ([, name]) => name)
    expect(rows).toEqual(alerts)
    const runbooks = Array.from(pageOf('docs/operations.md').matchAll(/^### (Watchword\w+)$/gm), ([, name]) => name)
    expect(runbooks).toEqual(alerts)
    for (const { alert, annotations } of rules) {
      if (alert) expect(annotations?.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`)
    }
  })
})

describe('the dashboard for Grafana', () => {
  it('asks the Prometheus that is chosen on it, and uses no variable that it does not have', () => {
    const variables = dashboard.templating.list.map(({ name }) => name)
    expect(dashboard.templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' }),
    )
    for (const { title, datasource, targets = [] } of panels) {
      expect(targets.length, title).toBeGreaterThan(0)
      for (const uid of [datasource?.uid, ...targets.map((target) => target.datasource.uid)])
        expect(uid, title).toBe('${' + 'datasource}')
      for (const { expr } of targets)
        for (const [, name] of expr.matchAll(/\$(\w+)/g))
          expect(name === '__rate_interval' || variables.includes(name!), expr).toBe(true)
    }
  })

  it('has a place of its own for each panel', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
  })

  it.skipIf(!promtool)(`asks in words that Prometheus can read${skipped}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'watchword-rules-'))
    try {
      const file = join(folder, 'asked.yaml')
      const filled = asked.map((expr) => expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, 'x'))
      const asRules = filled.map((expr, index) => ({ record: `asked:${index}`, expr }))
      await writeFile(file, stringify({ groups: [{ name: 'asked', rules: asRules }] }))
      const { stdout } = await run(promtool!, ['check', 'rules', file])
      expect(stdout).toContain(`SUCCESS: ${asked.length} rules found`)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a running service', () => {
  let server: TestServer
  let exposed: Map<string, string>
  beforeAll(async () => {
    server = await startServer()
    const text = await (await fetch(`${server.opsUrl}/metrics`)).text()
    exposed = new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name, type]) => [name!, type!]))
  })
  afterAll(() => server.close())

  it('measures all that rules and dashboard ask for, and what the page for operators names', () => {
    const recorded = new Set(rules.flatMap(({ record }) => record ?? []))
    const ofVariables = dashboard.templating.list.map(({ query }) => (typeof query === 'string' ? '' : query.query))
    for (const expr of [...rules.map((rule) => rule.expr), ...asked, ...ofVariables]) {
      const names = namesIn(expr).filter((name) => !recorded.has(name))
      for (const name of names) {
        const base = name.replace(/_(bucket|sum|count)$/, '')
        const isThere = exposed.has(name) || exposed.get(base) === 'histogram'
        expect(isThere, `${name} in ${expr}`).toBe(true)
      }
    }
    const told = Array.from(
      pageOf('docs/operators.md').matchAll(/^\| `((?:watchword|http_server|db_client)_\w+)`/gm),
      ([, name]) => name!,
    )
    const own = [...exposed.keys()].filter((name) => /^(watchword|http_server|db_client)_/.test(name))
    // Of several processes only: measured in test/process/processes.test.ts.
    const ofOne = told.filter((name) => !name.startsWith('watchword_processes'))
    expect([...new Set(ofOne)].toSorted()).toEqual(own.toSorted())
  })

  it('counts a code on its way: accepted, taken (and how late), delivered, verified', async () => {
    const phone = newPhone()
    const id = await server.test.send(phone)
    await server.advance(3)
    await server.work()
    await server.advance(5)
    await server.work()
    expect((await server.test.check(id, '000000')).verified).toBe(true)
    const text = await (await fetch(`${server.opsUrl}/metrics`)).text()
    for (const line of [
      'watchword_accepted_total{operation="sendVerification",mode="test"} 1',
      'watchword_messages_total{kind="verification",mode="test",outcome="taken"} 1',
      'watchword_messages_total{kind="verification",mode="test",outcome="delivered"} 1',
      'watchword_verifications_total{mode="test",outcome="taken"} 1',
      'watchword_verifications_total{mode="test",outcome="verified"} 1',
      'watchword_taken_seconds_sum{kind="verification",mode="test"} 3',
    ])
      expect(text).toContain(line)
    expect(text).toMatch(/http_route="\/v1\/verify\/send",http_response_status_code="200"/)
    expect(text).toMatch(/^watchword_database_up 1$/m)
    expect(text).toMatch(/^watchword_database_server_connections\{state="max"\} \d+$/m)
    expect(text).toMatch(/^db_client_connection_max\{db_client_connection_pool_name="watchword"\} \d+$/m)
  })

  it('says that nobody waits for a connection while none but who asks for the figures needs one', async () => {
    // What is asked of the database for these figures opens connections the first time, and finds them idle the second.
    for (let time = 0; time < 2; time++) {
      const text = await (await fetch(`${server.opsUrl}/metrics`)).text()
      expect(text).toMatch(/^db_client_connection_pending_requests\{.*\} 0$/m)
    }
  })
})

/** The names of metrics in an expression: what is no label, no word of PromQL, and no value. */
function namesIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(by|without|on|ignoring) *\([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
  return Array.from(bare.matchAll(/[a-z][a-z0-9_:]*(?![a-z0-9_:(]| *\()/g), ([name]) => name).filter(
    (name) => !['and', 'or', 'unless', 'offset', 'bool', 'm', 'h', 'd', 'instance'].includes(name),
  )
}
