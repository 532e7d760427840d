/** What production leaves as it is. */
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/settings/config.ts'

it('owners change channels in the dashboard, in production too, unless the operator says no', () => {
  const channelsIn = (environment: NodeJS.ProcessEnv) => loadConfig(environment, { role: 'serve' }).channelsInDashboard
  expect(channelsIn({})).toBe(true)
  expect(channelsIn({ NODE_ENV: 'production' })).toBe(true)
  expect(channelsIn({ NODE_ENV: 'production', CHANNELS_IN_DASHBOARD: 'off' })).toBe(false)
})

it('has the sandbox carry live messages in production only with SANDBOX_LIVE=on', () => {
  const isLive = (environment: NodeJS.ProcessEnv) => loadConfig(environment, { role: 'serve' }).sandboxLive
  expect(isLive({})).toBe(true)
  expect(isLive({ SANDBOX_LIVE: 'off' })).toBe(false)
  expect(isLive({ NODE_ENV: 'production' })).toBe(false)
  expect(isLive({ NODE_ENV: 'production', SANDBOX_LIVE: 'on' })).toBe(true)
})
