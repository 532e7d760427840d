/** What is closed in production until the operator opens it. */
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/settings/config.ts'

it('owners change channels in the dashboard in production only where the operator says so', () => {
  const channelsIn = (environment: NodeJS.ProcessEnv) => loadConfig(environment, { role: 'serve' }).channelsInDashboard
  expect(channelsIn({})).toBe(true)
  expect(channelsIn({ NODE_ENV: 'production' })).toBe(false)
  expect(channelsIn({ NODE_ENV: 'production', CHANNELS_IN_DASHBOARD: 'on' })).toBe(true)
})
