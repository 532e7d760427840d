/** The settings of where the API, the dashboard and the operations are. */
import { z } from 'zod'
import { whole } from './number.ts'
import { isOrigin, isPublicUrl } from './url.ts'

/** An IPv6 address stands in brackets, as it does in the header `Host`. */
const hostForm = /^([a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])$/

export const portForms = {
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535, 3000),
  PUBLIC_URL: z
    .string()
    .refine(isPublicUrl, { error: 'must be an http:// or https:// URL without credentials, "?" and "#"' })
    .transform((url) => new URL(url).href.replace(/\/+$/, ''))
    .optional(),
  OPS_HOST: z.string().default('127.0.0.1'),
  OPS_HOSTS: z
    .string()
    .transform((list) => list.split(',').map((name) => name.trim().toLowerCase()))
    .refine((list) => list.every((name) => hostForm.test(name)), {
      error: 'must be host names or addresses, without ports, separated by commas',
    })
    .optional(),
  OPS_PORT: whole(0, 65_535, 9464),
  DASHBOARD_HOST: z.string().default('127.0.0.1'),
  DASHBOARD_PORT: z
    .string()
    .refine((text) => text === 'off' || (/^\d{1,5}$/.test(text) && Number(text) <= 65_535), {
      error: 'must be a port from 0 to 65535, or off',
    })
    .transform((text) => (text === 'off' ? text : Number(text)))
    .default(3001),
  DASHBOARD_URL: z
    .string()
    .refine(isOrigin, { error: 'must be an http:// or https:// URL with nothing behind its host and port' })
    .transform((url) => new URL(url).origin)
    .optional(),
  DASHBOARD_PROXIES: whole(0, 10, 0),
}
