/**
 * The addresses of names that others choose. The system's own look-up has two threads in a process, which the database and
 * providers need too, and a name whose servers are silent holds one of them for up to half a minute. So DNS is asked from
 * here, which holds none; the system is asked for what DNS does not know, one name at a time.
 */
import type { LookupAddress } from 'node:dns'
import { lookup as lookupOfSystem, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { isAskFailure } from './failure.ts'

/** All addresses of a name. @throws Error with a code, as Node's look-up does */
export type Lookup = (name: string) => Promise<LookupAddress[]>

/** Names that wait for the system, at most. */
const turnsMax = 16

export interface LookupParts {
  /** Of DNS, each an address and a port; those of the system when left out. */
  servers?: readonly string[]
  /** Milliseconds for the first try; the second has twice as many. Then each of the servers counts as silent. */
  tryMs?: number
  hostsFile?: string
  system?: Lookup
}

/** The system's own, for names that the operator chose. */
export const systemLookup: Lookup = (name) => lookupOfSystem(name, { all: true })

/** The one of this process for names that customers chose. */
export const lookup = createLookup({})

export function createLookup({ servers, tryMs = 2000, hostsFile = '/etc/hosts', system }: LookupParts): Lookup {
  const ask = system ?? systemLookup
  const askInTurn = inTurn(ask)
  return async (name) => {
    // No customer can make these slow.
    if (/(^|\.)localhost\.?$/i.test(name)) return ask(name)
    const written = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name)
    if (written.length > 0) return written
    // One for each name: it finds out again which servers there are, and takes none for slow because of another name.
    const resolver = new Resolver({ timeout: tryMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const found = await askDns(resolver, name)
    // It may be a short name of the network's own.
    return found.length > 0 ? found : askInTurn(name)
  }
}

function inTurn(work: Lookup): Lookup {
  let before: Promise<unknown> = Promise.resolve()
  let count = 0
  return async (name) => {
    if (count >= turnsMax) throw unanswered()
    count++
    const done = before.then(() => work(name)).finally(() => count--)
    before = done.catch(() => {})
    return done
  }
}

function unanswered(): Error {
  return Object.assign(new Error('DNS has no answer'), { code: 'EAI_AGAIN' })
}

/** @param hosts a file as `/etc/hosts` is */
function addressesIn(hosts: string, name: string): LookupAddress[] {
  const wanted = name.toLowerCase().replace(/\.$/, '')
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.includes(wanted) ? [{ address, family }] : []
  })
}

/**
 * What says that there is nothing: no such name, none of its addresses, no name at all, or nobody here who would look. Some
 * resolvers say so of short names, which the system knows.
 */
const absences = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED']

/** @returns none when there is no such name. @throws Error `EAI_AGAIN` when nobody says so */
async function askDns(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
  for (const one of [four, six]) if (one.status === 'rejected' && !isAskFailure(one.reason)) throw one.reason
  const isClear = [four, six].every((one) => one.status === 'fulfilled' || absences.includes(one.reason.code))
  if (found.length === 0 && !isClear) throw unanswered()
  return found
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}
