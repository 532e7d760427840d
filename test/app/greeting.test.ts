import { describe, expect, it } from 'vitest'
import { formatGreeting, formatUrl } from '../../src/app/greeting.ts'

const everything = {
  version: '1.2.3',
  api: 'http://127.0.0.1:3000',
  operations: 'http://127.0.0.1:9464',
  keys: { files: ['.data/test-key', '.data/live-key'] },
}

describe('the first lines', () => {
  it('say what there is, a line each, one below the other', () => {
    const dashboard = { url: 'http://127.0.0.1:3001', invitation: '.data/dashboard-invite' }
    expect(formatGreeting({ ...everything, dashboard })).toBe(`
  Watchword 1.2.3

  API         http://127.0.0.1:3000
  Reference   http://127.0.0.1:3000/docs
  Dashboard   http://127.0.0.1:3001  (your invitation is in .data/dashboard-invite)
  Operations  http://127.0.0.1:9464/metrics
  Phones      http://127.0.0.1:9464/sandbox/messages?phone=%2B14155550100
  Keys        .data/test-key, .data/live-key

`)
  })

  it('name no invitation that was taken, no dashboard that there is not, and no keys that were moved', () => {
    expect(formatGreeting({ ...everything, dashboard: { url: 'http://127.0.0.1:3001' } })).toContain(':3001\n')
    const text = formatGreeting({ ...everything, keys: { files: [] } })
    expect(text).not.toMatch(/Dashboard|Key/)
  })

  it('of a worker name what that has', () => {
    expect(formatGreeting({ ...everything, api: undefined })).not.toMatch(/API|Reference/)
  })

  it('of a sandbox have its key', () => {
    expect(formatGreeting({ ...everything, keys: { sandboxKey: 'ww_test_1' } })).toMatch(/^ {2}Key +ww_test_1 /m)
  })

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://[::1]:3000'],
    ['::1', 'http://[::1]:3000'],
    ['api.internal', 'http://api.internal:3000'],
  ])('have addresses that can be opened here: %s', (host, url) => {
    expect(formatUrl(host, 3000)).toBe(url)
  })
})
