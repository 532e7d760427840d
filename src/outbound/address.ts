/**
 * Where a request of ours may go when somebody else names the URL. Names are looked up once for each connection, which is
 * then made to the very addresses that were checked.
 */
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isAskFailure } from './failure.ts'
import { type Lookup, systemLookup } from './lookup.ts'
import { type ConnectorBuild, type ProxySettings, readException, readProxy, throughProxy } from './proxy.ts'

export interface GuardParts {
  /** Whether `http:` is allowed beside `https:`. */
  allowHttp?: boolean
  /** Whether this machine may be asked by a loopback name or address, by `http:` too. Not for production. */
  allowLoopback?: boolean
  /** Whether the networks that an operator has at home are open: private addresses, but not this machine. */
  allowOwnNetworks?: boolean
  /** Whether `http:` is allowed to an address in `networks` that the URL itself has. A name could stand for another one. */
  allowHttpInNetworks?: boolean
  /** Ports that are closed at every address. */
  closedPorts?: readonly number[]
  /** Further ones that are open, such as `10.0.0.0/8`; `isNetwork` has said that they are. */
  networks?: readonly string[]
  /** Left out, that of the system. */
  lookup?: Lookup
  /** Left out, every address is asked directly. One that a proxy looks up is judged by its name alone. */
  proxy?: ProxySettings | undefined
}

export interface AddressGuard {
  /** What is wrong with a URL, as far as it tells by itself: a sentence that may be shown to who gave it. */
  faultOfUrl: (url: string) => string | undefined
  /** The same, with the addresses that its name has now. Connections are checked all the same. */
  faultOfPlace: (url: string) => Promise<string | undefined>
  /** Makes connections to allowed addresses alone. @param build makes those to all */
  connector: ConnectorBuild
}

const standardPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

const refusal = 'this address is not allowed'

/** That an address is not one to connect to. It does not say which, nor why. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly code = 'ADDRESS_REFUSED'

  constructor() {
    super(refusal)
  }
}

/** What clouds tell a machine about itself, its tokens included; open to nobody. */
const metadata = [
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
].map(toNetwork)
/** All that is given out of IPv6 for use in the world. */
const global6 = [toNetwork('2000::/3')]
/** What `localhost` stands for: it is known without a look-up. */
const loopback = ['127.0.0.1', '::1']
const ownRanges = ['private', 'uniqueLocal', 'carrierGradeNat']

/** Whether a text names a network, as `10.0.0.0/8` or `fd12::/16` do. */
export function isNetwork(text: string): boolean {
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)
}

/** @param entry of `NO_PROXY` @returns whether it is good; a name may be any text */
export function isProxyException(entry: string): boolean {
  return !entry.includes('/') || isNetwork(readException(entry).name)
}

export function createAddressGuard(parts: GuardParts): AddressGuard {
  const { allowHttp = false, allowLoopback = false, allowOwnNetworks = false, allowHttpInNetworks = false } = parts
  const { networks = [], closedPorts = [], proxy } = parts
  const build: ConnectorBuild = proxy ? throughProxy(proxy) : (build, options) => build(options)
  const lookup = shared(parts.lookup ?? systemLookup)
  const opened = networks.map(toNetwork)

  /** @param host that was asked for, by name or address */
  const isAllowed = (text: string, host: string): boolean => {
    if (isIP(text) === 0) return false
    const address = ipaddr.process(text)
    const range = address.range()
    if (isIn(metadata, address)) return false
    if (isIn(opened, address)) return true
    if (range === 'unicast') return address.kind() === 'ipv4' || isIn(global6, address)
    if (range === 'loopback' && allowLoopback && isLoopback(host)) return true
    return allowOwnNetworks && ownRanges.includes(range)
  }

  const listAddresses = async (host: string): Promise<LookupAddress[]> => {
    const addresses = await lookup(host)
    // One that is refused spoils the others: whoever mixes them means no good.
    if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address, host)))
      throw new AddressRefused()
    return addresses
  }

  const faultOfUrl = (text: string): string | undefined => {
    if (!URL.canParse(text))
      return /^https?:\/\//i.test(text) ? 'this is not a URL' : 'the URL must begin with https://'
    const { protocol, username, password, hostname, port } = new URL(text)
    const host = bareOf(hostname)
    const named = isIP(host) === 0 && isLoopback(host) ? loopback : [host].filter(isIP)
    const isOpened = named.some((address) => isIn(opened, ipaddr.process(address)))
    const httpToo = allowHttp || (allowLoopback && isLoopback(host)) || (allowHttpInNetworks && isOpened)
    if (protocol !== 'https:' && !(protocol === 'http:' && httpToo)) return 'the URL must begin with https://'
    if (username || password) return 'the URL must not hold a user name or password'
    if (closedPorts.includes(Number(port || standardPorts[protocol]))) return refusal
    return named.length > 0 && !named.some((address) => isAllowed(address, host)) ? refusal : undefined
  }

  return {
    faultOfUrl,
    faultOfPlace: async (text) => {
      const fault = faultOfUrl(text)
      const host = fault === undefined ? bareOf(new URL(text).hostname) : ''
      if (fault !== undefined || isIP(host) !== 0 || (proxy && readProxy(proxy, new URL(text)))) return fault
      return listAddresses(host).then(() => undefined, findLookupFault)
    },
    connector: (direct, options) => {
      const connect = build(direct, { ...options, lookup: asNodeAsks(listAddresses) })
      return (to, callback) => {
        // Nobody looks up what is an address already.
        if (isIP(to.hostname) === 0 || isAllowed(to.hostname, to.hostname)) connect(to, callback)
        else process.nextTick(callback, new AddressRefused(), null)
      }
    },
  }
}

/** @throws what is an error of this service */
function findLookupFault(error: unknown): string {
  if (!isAskFailure(error)) throw error
  if (error instanceof AddressRefused) return refusal
  // The answer is missing, or our own look-ups are too many: nothing is known of the name.
  const unanswered = (error as NodeJS.ErrnoException).code === 'EAI_AGAIN'
  return unanswered ? 'this host name could not be looked up: try again' : 'this host name is not found'
}

/** Those who want a name while it is looked up wait for that: one that takes long is asked for once, however many want it. */
function shared(lookup: Lookup): Lookup {
  const underWay = new Map<string, Promise<LookupAddress[]>>()
  return (name) => {
    const begun = underWay.get(name)
    if (begun) return begun
    const asked = lookup(name).finally(() => underWay.delete(name))
    underWay.set(name, asked)
    return asked
  }
}

function asNodeAsks(addressesOf: Lookup): LookupFunction {
  return (name, { all }, callback) => {
    addressesOf(name).then(
      (addresses) => {
        if (all) callback(null, addresses)
        else callback(null, addresses[0]!.address, addresses[0]!.family)
      },
      (error) => callback(error, ''),
    )
  }
}

function toNetwork(text: string): Network {
  if (!isNetwork(text)) throw new Error(`not a network: ${text}`)
  return ipaddr.parseCIDR(text)
}

function isIn(networks: readonly Network[], address: Address): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}

/** Without the brackets of IPv6, and without the full stop that may end a name. */
function bareOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function isLoopback(host: string): boolean {
  const name = bareOf(host)
  if (isIP(name) !== 0) return ipaddr.process(name).range() === 'loopback'
  return name === 'localhost' || name.endsWith('.localhost')
}
