// biome-ignore-all lint/suspicious/noTemplateCurlyInString: places as they are written in files
/** The list of an account as a file: each place stands for one value. */
import { expect, it } from 'vitest'
import { exportEntries } from '../../../src/domain/channels/connectionExport.ts'
import type { ConnectionField } from '../../../src/domain/channels/connectionField.ts'
import { newConnection } from '../../support/connection.ts'

const field = (name: string): ConnectionField => ({ name, title: name, about: '', secret: true })
const kinds = {
  one: { settings: {} as never, fields: () => [field('app_secret')] },
  other: { settings: {} as never, fields: () => [field('secret')] },
}

it('secrets whose names come to the same get places of their own', () => {
  const rows = [
    newConnection({ id: 'wa', kind: 'one' }),
    newConnection({ id: 'wa-app', kind: 'other' }),
    newConnection({ id: 'wa-app-secret', kind: 'one' }),
  ]
  expect(exportEntries(rows, { secrets: undefined, kinds })).toEqual([
    { id: 'wa', kind: 'one', app_secret: '${WA_APP_SECRET}' },
    { id: 'wa-app', kind: 'other', secret: '${WA_APP_SECRET_2}' },
    { id: 'wa-app-secret', kind: 'one', app_secret: '${WA_APP_SECRET_APP_SECRET}' },
  ])
})
