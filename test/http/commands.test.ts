/** Commands as the service that has the database does them, asked by a socket in its data folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer, type RequestListener, request, type Server } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Beside, openBeside } from '../../src/cli/beside.ts'
import { commandLine } from '../../src/domain/access/actor.ts'
import { findSocketPath, givenBytesMax, version } from '../../src/http/commands/calls.ts'
import { listenForCommands } from '../../src/http/commands/commands.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** Of the service's settings, which the command was not started with. */
const served = { publicUrl: 'https://codes.example', twilioVerify: true }

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ww-commands-'))
})
afterEach(() => rm(folder, { recursive: true }))

const listen = () =>
  listenForCommands(folder, { admin: server.app.admin, operator: commandLine, log: server.runtime.log, served })
const socketPath = () => join(folder, 'commands.sock')
const logged = () => server.runtime.lines.join('')

describe('a command beside a service', () => {
  let door: Awaited<ReturnType<typeof listen>>
  let beside: Beside
  beforeEach(async () => {
    door = await listen()
    beside = (await openBeside(folder))!
  })
  afterEach(async () => {
    await beside.close()
    await door?.shut(0, Number.POSITIVE_INFINITY)
  })

  it('gets what a command of its own process gets: times, bytes and what is not there', async () => {
    const account = await beside.accounts.create('acme')
    expect(await server.app.accounts.require('ACME')).toEqual(account)
    const expiresAt = new Date(server.runtime.now().getTime() + 1000)
    const { row } = await beside.apiKeys.create({
      ...{ accountId: account.id, name: 'shop', mode: 'live', scopes: ['verify:write'], expiresAt },
    })
    expect(row).toMatchObject({ expiresAt, revokedAt: null, hash: expect.any(Buffer) })
    expect(await beside.apiKeys.list()).toEqual(await server.app.apiKeys.list())
    expect(await beside.connections.list(account.id)).toEqual(await server.app.connections.list(account.id))
  })

  it('shows the settings of the service, not its own', () => {
    expect(beside.served).toEqual(served)
  })

  it('is refused in the words of the domain', async () => {
    await expect(beside.accounts.require('nobody')).rejects.toThrow(
      expect.objectContaining({ name: 'Refusal', message: 'There is no account "nobody".' }),
    )
  })

  it('has its effect in the service at once', async () => {
    const { key, id } = await server.newKey()
    expect((await server.as(key).get('/v1/messages/req_1')).status).not.toBe(401)
    await beside.apiKeys.revoke(id)
    expect((await server.as(key).get('/v1/messages/req_1')).data.code).toBe('revoked_api_key')
  })

  it('stands in the log by its name, without what it was given', async () => {
    await beside.forget('+14155550171')
    expect(logged()).toContain('"command":"forget"')
    expect(logged()).not.toContain('4155550171')
  })

  it('is told that the service failed, and the log why', async () => {
    await expect(beside.templates.apply('acct_default', undefined as never)).rejects.toThrow(
      'The service failed at this; its log says why.',
    )
    expect(logged()).toMatch(/"err":\{.*"command":"templates.apply".*"a command failed"/)
  })

  it('is not sent when it is given too much, and the service reads no more of it than that', async () => {
    const large = { slug: 'large', text: 'x'.repeat(givenBytesMax) }
    await expect(beside.templates.apply('acct_default', [large])).rejects.toThrow('larger than a command accepts')
    const outcome = await new Promise((resolve) => {
      const asked = request({ socketPath: socketPath(), method: 'POST', path: '/templates.apply' })
      const chunk = Buffer.alloc(64 * 1024)
      const fill = () => {
        while (asked.write(chunk));
      }
      asked.on('drain', fill).on('error', resolve).on('response', resolve)
      fill()
    })
    expect(outcome).toBeInstanceOf(Error)
    expect(await beside.accounts.list()).not.toEqual([])
  })

  it.each(['apiKeys.authenticate', 'endpoints.openSecrets', 'as', 'constructor', '__proto__', 'accounts.toString'])(
    'can not do what no command does: %s',
    async (name) => {
      const status = await new Promise((resolve) => {
        request({ socketPath: socketPath(), method: 'POST', path: `/${name}` }, (response) => {
          response.resume()
          resolve(response.statusCode)
        }).end()
      })
      expect(status).toBe(404)
    },
  )

  it('is done when the service is told to stop meanwhile', async () => {
    const asked = beside.accounts.create('just in time')
    const shut = server.app.accounts.list().then(() => door!.shut(0, Number.POSITIVE_INFINITY))
    expect((await asked).name).toBe('just in time')
    await beside.close()
    await shut
    expect(await readdir(folder)).toEqual([])
    expect(await openBeside(folder)).toBe(undefined)
  })
})

describe('the socket', () => {
  it('is for its owner alone, and gone when the service is', async () => {
    const door = await listen()
    expect((await stat(socketPath())).mode & 0o777).toBe(0o600)
    await door!.shut(0, Number.POSITIVE_INFINITY)
    expect(await readdir(folder)).toEqual([])
  })

  it('of a process that was killed is replaced', async () => {
    const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
    await once(spawn(process.execPath, ['-e', script, socketPath()]), 'exit')
    expect(await readdir(folder)).toEqual(['commands.sock'])
    expect(await openBeside(folder)).toBe(undefined)

    const door = await listen()
    const beside = await openBeside(folder)
    expect(await beside?.accounts.list()).not.toEqual([])
    await beside?.close()
    await door!.shut(0, Number.POSITIVE_INFINITY)
  })

  it('to which somebody has connected who says nothing, keeps no service from stopping', async () => {
    const door = await listen()
    const silent = connect(socketPath())
    const closed = new Promise((resolve) => silent.once('close', resolve))
    await new Promise((resolve) => silent.once('connect', resolve))
    await door!.shut(0, Number.POSITIVE_INFINITY)
    await closed
  })

  it('that cannot be made keeps no service from starting, and the log says why', async () => {
    const deep = join(folder, 'x'.repeat(120))
    expect(
      await listenForCommands(deep, {
        admin: server.app.admin,
        operator: commandLine,
        log: server.runtime.log,
        served,
      }),
    ).toBe(undefined)
    expect(logged()).toContain('its path would be too long')
    const missing = join(folder, 'missing')
    expect(
      await listenForCommands(missing, {
        admin: server.app.admin,
        operator: commandLine,
        log: server.runtime.log,
        served,
      }),
    ).toBe(undefined)
    expect(logged()).toMatch(/"code":"EACCES".*no command can be run beside this service/)
  })

  it('has a path that is as short as it can be said from here', () => {
    const here = join(process.cwd(), 'd')
    expect(findSocketPath('.data')).toBe('.data/commands.sock')
    expect(findSocketPath('/var/lib/watchword')).toBe('/var/lib/watchword/commands.sock')
    const long = join(here, 'x'.repeat(100 - 'd/commands.sock'.length))
    expect(findSocketPath(long)).toBe(relative('', join(long, 'commands.sock')))
    expect(findSocketPath(join('/', 'x'.repeat(200)))).toBe(undefined)
  })
})

describe('a service that is not as it should be', () => {
  let other: Server
  afterEach(() => {
    other.closeAllConnections()
    other.close()
  })

  async function pretend(listener: RequestListener): Promise<void> {
    other = createServer(listener)
    await new Promise<void>((resolve) => other.listen(socketPath(), resolve))
  }
  const greets = JSON.stringify({ version, templateForms: [] })

  it('of another version does nothing, and its version is told', async () => {
    await pretend((_request, response) => response.end('{"version":"9.9.9"}'))
    await expect(openBeside(folder)).rejects.toThrow(
      `The service that runs on ${folder} is Watchword 9.9.9, and this command is of ${version}: restart the service`,
    )
  })

  it('that hangs is waited for a bounded time', async () => {
    await pretend(() => {})
    await expect(openBeside(folder, { hello: 50, call: 50 })).rejects.toThrow('does not answer: it took too long')
    other.removeAllListeners('request').on('request', ({ url }, response) => {
      if (url === '/') response.end(greets)
    })
    const beside = await openBeside(folder, { hello: 5000, call: 50 })
    await expect(beside!.accounts.list()).rejects.toThrow('The service did not answer (it took too long).')
    await beside!.close()
  })

  it('that ends meanwhile leaves it open whether the work was done', async () => {
    await pretend(({ url, socket }, response) => {
      if (url === '/') response.end(greets)
      else socket.destroy()
    })
    const beside = await openBeside(folder)
    await expect(beside!.accounts.create('acme')).rejects.toThrow(
      'The service did not answer (ECONNRESET). Check whether the command took effect before you repeat it.',
    )
    await beside!.close()
  })

  it('whose code is older than the command is to be restarted', async () => {
    await pretend(({ url }, response) => {
      if (url !== '/') response.statusCode = 404
      response.end(greets)
    })
    const beside = await openBeside(folder)
    await expect(beside!.accounts.list()).rejects.toThrow('does not know this command: restart it')
    await beside!.close()
  })
})
