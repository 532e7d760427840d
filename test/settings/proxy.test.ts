/** Which forward proxy the settings name. */
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/settings/config.ts'
import { settingFaults } from '../support/settings.ts'

const load = (environment: NodeJS.ProcessEnv) => loadConfig(environment, { role: 'serve' })

describe('the forward proxy', () => {
  const proxy = 'http://me:p%40ss@proxy.internal:3128'

  it('is one for all that is asked, or what other programs go by', () => {
    expect(load({ OUTBOUND_PROXY: proxy }).outboundProxy).toEqual({ http: proxy, https: proxy, except: [] })
    const others = {
      HTTPS_PROXY: 'proxy.internal:3128',
      https_proxy: 'https://low.internal',
      NO_PROXY: '.corp, 10.0.0.0/8',
    }
    expect(load({ OUTBOUND_PROXY: 'env', ...others }).outboundProxy).toEqual({
      ...{ http: undefined, https: 'https://low.internal', except: ['.corp', '10.0.0.0/8'] },
    })
    expect(load({ OUTBOUND_PROXY: 'env', HTTP_PROXY: 'proxy.internal:3128' }).outboundProxy).toMatchObject({
      http: 'http://proxy.internal:3128',
    })
    expect(load({ OUTBOUND_PROXY: 'env' }).outboundProxy).toBe(undefined)
    expect(load(others).outboundProxy).toBe(undefined)
  })

  it('that is looked for in the environment, and is not there, is noted', () => {
    const note = 'OUTBOUND_PROXY is env, and neither HTTPS_PROXY nor HTTP_PROXY is set: no proxy is used'
    expect(load({ OUTBOUND_PROXY: 'env', NO_PROXY: '.corp' }).notes).toEqual([note])
    for (const set of [{ OUTBOUND_PROXY: proxy }, { OUTBOUND_PROXY: 'env', https_proxy: proxy }, {}])
      expect(load(set).notes).toEqual([])
  })

  it.each(['socks5://proxy', 'proxy:3128', 'https://me:p%zz@proxy', 'http://me:p/w@proxy', 'http://proxy/path', 'on'])(
    'may not be %j, which no refusal shows',
    (text) => {
      const wanted = 'must be an http:// or https:// URL without a path'
      expect(settingFaults({ OUTBOUND_PROXY: text })).toEqual([`OUTBOUND_PROXY: ${wanted}, or env`])
      expect(settingFaults({ OUTBOUND_PROXY: 'env', HTTPS_PROXY: 'http://me:p/w@proxy' })).toEqual([
        `HTTPS_PROXY: ${wanted}`,
      ])
    },
  )

  it.each(['10.0.0.0/33', 'corp/8', '10.1/16', 'http://intranet', '/'])(
    'is asked for nothing when NO_PROXY has %j, which is no network',
    (entry) => {
      const given = {
        OUTBOUND_PROXY: 'env',
        HTTPS_PROXY: proxy,
        NO_PROXY: `.corp,10.0.0.0/8:443,[fd12::]/16:443,${entry}`,
      }
      expect(settingFaults(given)).toEqual([`NO_PROXY: ${entry} is no network like 10.0.0.0/8`])
      expect(settingFaults({ ...given, OUTBOUND_PROXY: proxy })).toEqual([])
    },
  )
})
